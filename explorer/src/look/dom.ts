// Creates elements without parsing HTML: whatever a document contains becomes text.

/** The content of an element, also in lists; null, undefined and false are left out. */
export type Child = Node | string | number | null | undefined | false | readonly Child[];
type Props = Readonly<Record<string, unknown>>;
type Content = readonly (Props | Child)[]; // first the properties, if there are any

export const FONT = "system-ui, sans-serif"; // the font of texts in pictures

function isProps(one: Props | Child): one is Props {
  return typeof one === "object" && one !== null && !(one instanceof Node) && !Array.isArray(one);
}

function set(element: HTMLElement | SVGElement, props: Props): void {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") {
      element.addEventListener(name.slice(2), value as EventListener);
    } else if (name === "style") {
      for (const [key, entry] of Object.entries(value as Record<string, string>)) {
        element.style.setProperty(key, entry);
      }
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
}

function append(element: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(element, child);
    else element.append(child instanceof Node ? child : String(child));
  }
}

/** Makes elements of a namespace: of a name, perhaps with classes as in "p.soft"; properties, if
 * there are any; and content. Properties that are functions become listeners ("onclick"); those
 * that are null, undefined or false are left out. */
function maker<Elements>(namespace: string) {
  return <K extends keyof Elements & string>(
    name: K | `${K}.${string}`,
    ...content: Content
  ): Elements[K] => {
    const [tag, ...classes] = name.split(".");
    const element = document.createElementNS(namespace, tag) as HTMLElement | SVGElement;
    const [first, ...rest] = content;
    if (classes.length) element.setAttribute("class", classes.join(" "));
    if (isProps(first)) set(element, first);
    append(element, (isProps(first) ? rest : content) as Child[]);
    return element as Elements[K];
  };
}

export const h = maker<HTMLElementTagNameMap>("http://www.w3.org/1999/xhtml");
export const s = maker<SVGElementTagNameMap>("http://www.w3.org/2000/svg");

export function picture(
  width: number,
  height: number,
  name: string,
  shapes: Child[],
): SVGSVGElement {
  const viewBox = `0 0 ${width} ${height}`;
  const props = { width, height, viewBox, role: "img", "aria-label": name, "font-family": FONT };
  return s("svg", props, ...shapes);
}

/** A part of a drawing. Its label is its tooltip, and all that screen readers say of it. */
export function labelled(label: string, props: Props, ...shapes: Child[]): SVGGElement {
  const hidden = { "aria-hidden": "true" };
  const inner = [s("title", hidden, label), s("g", hidden, ...shapes)];
  return s("g", { "aria-label": label, ...props }, ...inner);
}

const STOPS =
  ":enabled:is(button, input, select, textarea), a[href], summary, [tabindex]:not(:disabled)";

/** Replaces the children of an element. If one of them had the focus, its successor has it: the one
 * of the same name or, without one, at the same place. */
export function replace(element: Element, ...children: Child[]): void {
  const stops = (): HTMLElement[] => [...element.querySelectorAll<HTMLElement>(STOPS)];
  const named = (one: Element): string | null =>
    one.getAttribute("name") ?? one.getAttribute("aria-label") ?? one.textContent;
  const focused = document.activeElement;
  const had = focused && focused !== element && element.contains(focused);
  const at = had ? stops().indexOf(focused as HTMLElement) : -1;
  element.replaceChildren();
  append(element, children);
  if (!had) return;
  const left = stops();
  const same = (one?: Element): boolean => one !== undefined && named(one) === named(focused);
  const next = same(left[at]) ? left[at] : (left.find(same) ?? left[Math.min(at, left.length - 1)]);
  const closed = next?.closest("details:not([open])")?.querySelector("summary"); // hides the rest
  (closed ?? next ?? element.closest<HTMLElement>(STOPS))?.focus({ preventScroll: true });
}

const LONG = 60; // characters: a longer text is clipped to one line

export function button(label: Child, press: () => void, props: Props = {}): HTMLButtonElement {
  return h("button", { type: "button", onclick: press, ...props }, label);
}

const opened = new Map<string, boolean>(); // whether sections are open, by their names

/** A section that opens below its name; drawn anew, it is open if it was before. */
export function opening(name: string, props: Props, ...content: Child[]): HTMLElement {
  const ontoggle = (): void => void opened.set(name, details.open);
  const open = opened.get(name);
  const details = h("details", { open, ontoggle, ...props }, h("summary", name), ...content);
  return details;
}

/** The key of an event; "" if it was pressed with Ctrl, Alt or the like or in a field of a form, or
 * if it did something already. */
export function keyOf(event: KeyboardEvent): string {
  const { key, target, ctrlKey, metaKey, altKey, defaultPrevented } = event;
  const field = "input:not([type=checkbox]), textarea, select";
  const typing = target instanceof Element && target.closest(field);
  return typing || ctrlKey || metaKey || altKey || defaultPrevented ? "" : key;
}

export function onPrint(listener: (printing: boolean) => void): void {
  addEventListener("beforeprint", () => listener(true));
  addEventListener("afterprint", () => listener(false));
}

/** A button that copies a text, and says for a while whether it did. */
export function copying(name: string, text: () => string, refused: string): HTMLElement {
  const press = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text());
      made.textContent = "Copied";
    } catch {
      made.textContent = refused;
    }
    setTimeout(() => replace(made, name), 2000);
  };
  const made = button(name, press, { "aria-live": "polite" });
  return made;
}

/** Texts beside each other, each in its own direction; empty ones are left out. */
export function apart(texts: readonly string[]): (HTMLElement | string)[] {
  return texts
    .filter(Boolean)
    .flatMap((text, k) => [
      k ? " · " : "",
      text.length > LONG ? clipped(text) : h("bdi", {}, text),
    ]);
}

/** As much of a text as fits on a line; a press shows the rest. */
function clipped(text: string): HTMLElement {
  const press = (): void => {
    const more = name.classList.toggle("clip");
    name.setAttribute("aria-expanded", String(!more));
  };
  const props = { class: "long clip", title: text, "aria-expanded": "false" };
  const name = button(h("bdi", {}, text), press, props);
  return name;
}

/** A bar as long as a share, with what lies over it. Screen readers skip it, as a figure beside it
 * tells the same. */
export function meter(share: number, ...over: Child[]): HTMLElement {
  const bar = h("i", { style: { width: `${100 * share}%` } });
  return h("span", { class: "meter", "aria-hidden": "true" }, bar, over);
}

let context: CanvasRenderingContext2D | null = null;

export function measured(text: string, font: string): number {
  context ??= document.createElement("canvas").getContext("2d")!;
  context.font = font;
  return context.measureText(text).width;
}

/** The lines of a text that is broken between words to fit a width. */
export function wrapped(text: string, width: number, font: string): string[] {
  const words = text.split(" ").filter(Boolean);
  return words.length ? divided(words, words.length, width, (line) => measured(line, font)) : [];
}

export type Width = (text: string) => number;

/** Words on at most `count` lines, each filled up to `room`; the last takes what is left. */
export function divided(words: string[], count: number, room: number, measure: Width): string[] {
  const lines = [words[0] ?? ""];
  for (const word of words.slice(1)) {
    const longer = `${lines[lines.length - 1]} ${word}`;
    if (lines.length < count && measure(longer) > room) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

export function fitted(text: string, width: number, font: string): string {
  return cut(text, (part) => measured(part, font) <= width);
}

/** As much of a text as fits, with “…” if it was cut; "" if fewer than two letters fit. */
export function cut(text: string, fits: (part: string) => boolean): string {
  if (fits(text)) return text;
  const shortened = (length: number): string => `${text.slice(0, length).trimEnd()}…`;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (fits(shortened(middle))) low = middle;
    else high = middle - 1;
  }
  return low > 1 ? shortened(low) : "";
}

/** The path of an icon with four corners, for showing everything. */
export const FIT = "M2.5 6v-3.5h3.5M10 2.5h3.5v3.5M13.5 10v3.5h-3.5M6 13.5h-3.5v-3.5";

export const LINES = "M2.5 4h11M2.5 8h11M2.5 12h11";

/** A button with an icon, a path on a square of 16 pixels, and a name for screen readers. */
export function icon(path: string, name: string, press: () => void): HTMLButtonElement {
  const lines = { fill: "none", stroke: "currentColor", "stroke-width": 1.5 };
  const ends = { "stroke-linecap": "round", "stroke-linejoin": "round" };
  const drawing = s("svg", { width: 16, height: 16, viewBox: "0 0 16 16", "aria-hidden": "true" }, [
    s("path", { d: path, ...lines, ...ends }),
  ]);
  return button(drawing, press, { "aria-label": name, title: name });
}
