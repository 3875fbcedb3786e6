// Bundles the page, its style and the widget into the Python package.
// `node build.mjs` writes; `node build.mjs --check` fails if what is there is out of date.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "..", "src", "hlta", "explorer", "assets");
const check = process.argv.includes("--check");

const options = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  target: ["es2022"],
  charset: "ascii",
  legalComments: "none",
  write: false,
  outdir: "out",
};
const page = { entryPoints: { explorer: "src/main.ts" }, format: "iife" };
const widget = { entryPoints: { widget: "src/widget.ts" }, format: "esm" };
const results = await Promise.all([page, widget].map((one) => build({ ...options, ...one })));
const files = results.flatMap(({ outputFiles }) => outputFiles);
const made = new Map(files.map((file) => [basename(file.path), file.text]));
for (const [name, text] of made) {
  // The page may be read in any encoding; esbuild leaves other characters in regular expressions.
  if (/\P{ASCII}/u.test(text)) throw new Error(`${name} has a character that is not ASCII`);
}

if (check) {
  for (const [name, text] of made) {
    const old = await readFile(join(target, name), "utf8").catch(() => "");
    if (old !== text) {
      console.error(`${name} is out of date; run scripts/bundle`);
      process.exitCode = 1;
    }
  }
} else {
  await mkdir(target, { recursive: true });
  for (const [name, text] of made) await writeFile(join(target, name), text);
  console.error([...made].map(([name, text]) => `${name} ${text.length}`).join(", "));
}
