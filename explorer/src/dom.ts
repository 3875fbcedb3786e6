// Elements without markup: whatever a document says becomes text, never HTML.

type Child = Node | string | number | null | undefined | false;
type Props = Record<string, unknown>;

const SVG = "http://www.w3.org/2000/svg";

function fill(element: Element, props: Props, children: Child[]): void {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") {
      element.addEventListener(name.slice(2), value as EventListener);
    } else if (name === "style") {
      const style = (element as HTMLElement | SVGElement).style;
      for (const [key, entry] of Object.entries(value as Record<string, string>)) {
        style.setProperty(key, entry);
      }
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  append(element, children);
}

function append(element: Element, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, props, children);
  return element;
}

export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  fill(element, props, children);
  return element;
}

/** Puts other children in the place of those that an element has. */
export function replace(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, children);
}

export function button(label: Child, press: () => void, props: Props = {}): HTMLButtonElement {
  return h("button", { type: "button", onclick: press, ...props }, label);
}

/** A table, with what its columns hold. */
export function table(head: string[], rows: (string | number)[][], caption: string): HTMLElement {
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h(
      "table",
      {},
      h("caption", {}, caption),
      h("thead", {}, h("tr", {}, ...head.map((name) => h("th", { scope: "col" }, name)))),
      h(
        "tbody",
        {},
        ...rows.map(([first, ...rest]) =>
          h("tr", {}, h("th", { scope: "row" }, first), ...rest.map((cell) => h("td", {}, cell))),
        ),
      ),
    ),
  );
}

const context = document.createElement("canvas").getContext("2d")!;

/** As much of a text as fits, with a sign that there is more. */
export function fitted(text: string, width: number, font: string): string {
  context.font = font;
  if (context.measureText(text).width <= width) return text;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (context.measureText(`${text.slice(0, middle).trimEnd()}…`).width <= width) low = middle;
    else high = middle - 1;
  }
  return low > 1 ? `${text.slice(0, low).trimEnd()}…` : "";
}
