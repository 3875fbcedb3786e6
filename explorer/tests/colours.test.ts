import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { hue, mixed, strength } from "../src/look/colours";

/** The colours that style.css states, as light and as dark. */
const styles = readFileSync("src/style.css", "utf8");
const colours = new Map(
  Array.from(
    styles.matchAll(/--([\w-]+): var\(--light, (#\w{6})\) var\(--dark, (#\w{6})\);/g),
    ([, name, light, dark]) => [name, { light, dark }],
  ),
);

/** The contrast of two colours by WCAG 2. */
function contrast(a: string, b: string): number {
  const [x, y] = [a, b].map((colour) => {
    const [red, green, blue] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  });
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

test("colours mix by share", () => {
  assert.equal(mixed("#ff0000", "#0000ff", 1), "#ff0000");
  assert.equal(mixed("#ff0000", "#0000ff", 0), "#0000ff");
  assert.equal(mixed("#000000", "#ffffff", 0.5), "#808080");
  assert.equal(mixed("#000000", "#0a0a0a", 0.5), "#050505"); // two digits each
});

test("areas are paler the deeper, but never white", () => {
  assert.ok(strength(0) > strength(1) && strength(1) > strength(2));
  assert.equal(strength(9), strength(99));
  assert.ok(strength(99) > 0);
});

test("branches have the hues of the styles, as many as there are root topics by default", () => {
  const branches = [...colours.keys()].filter((name) => name.startsWith("branch-"));
  const used = new Set(Array.from({ length: 50 }, (_, k) => hue(k)));
  assert.deepEqual(
    [...used],
    branches.map((name) => `var(--${name})`),
  );
  for (const theme of ["light", "dark"] as const) {
    const hues = branches.map((name) => colours.get(name)![theme]);
    assert.equal(new Set(hues).size, hues.length);
  }
});

/** The distance of two colours as they are seen: in OKLab. */
function distance(a: string, b: string): number {
  const [x, y] = [a, b].map((colour) => {
    const [red, green, blue] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
    const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
    const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
    return [
      0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
      1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
      0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
    ];
  });
  return Math.hypot(...x.map((part, k) => part - y[k]));
}

test("twenty root topics have hues that can be told apart", () => {
  for (const theme of ["light", "dark"] as const) {
    const hues = Array.from({ length: 20 }, (_, k) => {
      const name = hue(k).slice("var(--".length, -1);
      return colours.get(name)![theme];
    });
    for (const [k, one] of hues.entries()) {
      for (const other of hues.slice(0, k)) {
        assert.ok(distance(one, other) > 0.06, `${one} and ${other}, ${theme}`);
      }
    }
  }
});

test("texts read well on paper, hues too, and ink on every area", () => {
  for (const theme of ["light", "dark"] as const) {
    const value = (name: string): string => colours.get(name)![theme];
    for (const name of colours.keys()) {
      if (/ink|soft|accent|for|against|branch/.test(name)) {
        assert.ok(contrast(value(name), value("panel")) >= 4.5, `${name}, ${theme}`);
      }
      if (name.startsWith("branch")) {
        const area = mixed(value(name), value("panel"), strength(0));
        assert.ok(contrast(value("ink"), area) >= 4.5, `ink on ${name}, ${theme}`);
      }
    }
  }
});
