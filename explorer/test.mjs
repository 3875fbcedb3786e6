// Runs the unit tests, tests/*.test.ts: esbuild turns them into JavaScript, node:test runs them.
// Arguments are parts of file names: `npm test -- format`.
import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const parts = process.argv.slice(2);
const names = (await readdir(join(here, "tests")))
  .filter((name) => name.endsWith(".test.ts"))
  .filter((name) => !parts.length || parts.some((part) => name.includes(part)));
if (!names.length) throw new Error(`no test file is named like ${parts.join(" or ")}`);
const folder = await mkdtemp(join(tmpdir(), "hlta-explorer-"));
try {
  await build({
    absWorkingDir: here,
    entryPoints: names.map((name) => `tests/${name}`),
    bundle: true,
    platform: "node",
    format: "esm",
    outExtension: { ".js": ".mjs" },
    sourcemap: "inline",
    logLevel: "warning",
    outdir: folder,
  });
  const files = names.map((name) => join(folder, name.replace(/\.ts$/, ".mjs")));
  const { status } = spawnSync(
    process.execPath,
    ["--enable-source-maps", "--test", "--test-reporter=spec", ...files],
    {
      cwd: here,
      stdio: "inherit",
    },
  );
  process.exitCode = status ?? 1;
} finally {
  await rm(folder, { recursive: true });
}
