// A page within another one, such as a notebook: the two tell each other what is selected.

import type { Page } from "../page/page";
import { fromAddress, type Store, toAddress } from "./state";

/** What a page and the one around it tell each other. */
export interface Message {
  readonly hlta: string; // the fragment of an address that holds a state, or `READY`
}

export const READY = "ready"; // the page around may now say what is to be selected

/** The text of a message, or null if it is not one of ours. */
export function messageIn(data: unknown): string | null {
  const text = (data as Partial<Message> | null)?.hlta;
  return typeof text === "string" ? text : null;
}

/** Tells the page around what is selected, and lets it select. */
export function embed(page: Page, store: Store): void {
  if (parent === window) return;
  const tell = (hlta: string): void => parent.postMessage({ hlta } satisfies Message, "*");
  store.onChange((state) => tell(toAddress(state, page)));
  addEventListener("message", (event) => {
    const address = event.source === parent ? messageIn(event.data) : null;
    if (address === null || address === toAddress(store.state, page)) return;
    store.set(fromAddress(address, page));
  });
  tell(READY);
}
