import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  contrast,
  type Hue,
  huesAround,
  mixed,
  oklch,
  type Tones,
  tonesOf,
} from "../src/look/colours";

/** The colours that style.css states, as light and as dark. */
const styles = readFileSync("src/style.css", "utf8");
const colours = new Map(
  Array.from(
    styles.matchAll(/--([\w-]+): var\(--light, (#\w{6})\) var\(--dark, (#\w{6})\);/g),
    ([, name, light, dark]) => [name, { light, dark }],
  ),
);

test("colours mix by share", () => {
  assert.equal(mixed("#ff0000", "#0000ff", 1), "#ff0000");
  assert.equal(mixed("#ff0000", "#0000ff", 0), "#0000ff");
  assert.equal(mixed("#000000", "#ffffff", 0.5), "#808080");
  assert.equal(mixed("#000000", "#0a0a0a", 0.5), "#050505"); // two digits each
});

test("colours of OKLCH are those that browsers show, less intense where they cannot", () => {
  assert.equal(oklch(0.7, 0, 0), "#9e9e9e");
  assert.equal(oklch(1, 0, 0), "#ffffff");
  assert.equal(oklch(0.628, 0.2577, 29.23), "#ff0000");
  assert.equal(oklch(0.452, 0.3132, 264.05), "#0000ff");
  assert.match(oklch(0.5, 0.4, 200), /^#[0-9a-f]{6}$/);
});

test("neighbours around the middle have related hues, evenly spread", () => {
  const places = Array.from({ length: 12 }, (_, k) => {
    const angle = ((k * 5) % 12) * (Math.PI / 6);
    return [3000 + 900 * Math.sin(angle), 3000 - 900 * Math.cos(angle)] as const;
  });
  const hues = huesAround(places);
  const around = [...places.keys()].sort((a, b) => ((a * 5) % 12) - ((b * 5) % 12));
  const steps = around.map((at, k) => {
    const next = hues[around[(k + 1) % 12]].degrees;
    return (next - hues[at].degrees + 720) % 360;
  });
  assert.ok(
    steps.every((step) => step > 20 && step < 70),
    `${steps}`,
  );
  assert.ok(hues.every(({ far }) => Math.abs(far - 1) < 1e-9));
});

test("the nearer to the middle, the lighter; without places, hues are in the order of topics", () => {
  const [middle, edge] = huesAround([[10, 10], [10, 0], [0, 15], [20, 15]]); // biome-ignore format: a list
  assert.ok(middle.far < 0.2 && edge.far > 0.8);
  const lightness = (far: number): number =>
    contrast(tonesOf({ degrees: 250, far }, "light").bright, "#000000");
  assert.ok(lightness(0) > lightness(1));
  const none = huesAround([null, null, null]);
  assert.equal(new Set(none.map(({ degrees }) => degrees)).size, 3);
  assert.ok(none[0].degrees < none[1].degrees && none[1].degrees < none[2].degrees);
  assert.deepEqual(huesAround([]), []);
  assert.equal(huesAround([[5, 5]]).length, 1);
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

const PAPER = { light: "#fffefb", dark: "#171b21" };

function tones(count: number, theme: "light" | "dark", far = 0.7): Tones[] {
  const around = Array.from({ length: count }, (_, k): readonly [number, number] => {
    const angle = (2 * Math.PI * k) / count;
    return [Math.sin(angle), -Math.cos(angle)];
  });
  return huesAround(around).map((one: Hue) => tonesOf({ ...one, far }, theme));
}

test("twenty root topics have hues that can be told apart", () => {
  for (const theme of ["light", "dark"] as const) {
    for (const kind of ["deep", "bright"] as const) {
      const hues = tones(20, theme).map((one) => one[kind]);
      for (const [k, one] of hues.entries()) {
        for (const other of hues.slice(0, k)) {
          assert.ok(distance(one, other) > 0.022, `${one} and ${other}, ${theme}`);
        }
      }
    }
  }
});

test("texts read well on paper, names of topics too, and ink on every area", () => {
  for (const theme of ["light", "dark"] as const) {
    const value = (name: string): string => colours.get(name)![theme];
    assert.equal(value("panel"), PAPER[theme]); // of which the tones know
    for (const name of colours.keys()) {
      if (/ink|soft|accent|for|against/.test(name)) {
        assert.ok(contrast(value(name), value("panel")) >= 4.5, `${name}, ${theme}`);
      }
    }
    for (const far of [0, 1]) {
      for (const { deep, bright } of tones(60, theme, far)) {
        assert.ok(contrast(deep, value("panel")) >= 4.5, `${deep}, ${theme}`);
        assert.ok(contrast(bright, value("panel")) >= 1.9, `${bright}, ${theme}`);
      }
    }
  }
});
