// The page in a cell of a notebook. The `address` of the widget, which Python shares, holds what is
// selected in the page.

import { type Message, messageIn, READY } from "./selection/embedding";

type Change = "change:address" | "change:height";

/** The part of the widget's model that is used here; Python shares its values. */
interface Model {
  get(name: "address" | "_page"): string;
  get(name: "height"): number;
  set(name: "address", value: string): void;
  save_changes(): void;
  on(event: Change, listener: () => void): void;
  off(event: Change, listener: () => void): void;
}

/** Shows the page in an element; returns a function that removes the listeners. */
function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const frame = document.createElement("iframe");
  frame.title = "Topics";
  frame.sandbox.add("allow-scripts", "allow-downloads", "allow-popups"); // isolates the page
  frame.style.cssText = "width: 100%; border: 0";
  const resize = (): void => {
    frame.style.height = `${model.get("height")}px`;
  };
  resize();
  frame.srcdoc = model.get("_page");
  const tell = (): void => {
    const message: Message = { hlta: model.get("address") };
    frame.contentWindow?.postMessage(message, "*");
  };
  const hear = (event: MessageEvent): void => {
    const text = event.source === frame.contentWindow ? messageIn(event.data) : null;
    if (text === READY) tell();
    else if (text !== null && text !== model.get("address")) {
      model.set("address", text);
      model.save_changes();
    }
  };
  addEventListener("message", hear);
  model.on("change:address", tell);
  model.on("change:height", resize);
  el.append(frame);
  return () => {
    removeEventListener("message", hear);
    model.off("change:address", tell);
    model.off("change:height", resize);
  };
}

export default { render };
