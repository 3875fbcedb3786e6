// A page that is embedded in another one, such as a notebook: each tells the other what is selected
// in it.

import type { Page } from "../page/page";
import { fromAddress, type Store, toAddress } from "./state";

/** A message between the page and the one that embeds it. */
export interface Message {
  readonly hlta: string; // the fragment of an address that holds a state, or `READY`
}

export const READY = "ready"; // the embedding page may now send a selection

/** The text of a message, or null if it is not one of ours. */
export function messageIn(data: unknown): string | null {
  const text = (data as Partial<Message> | null)?.hlta;
  return typeof text === "string" ? text : null;
}

/** Sends the selection to the embedding page, and takes over the one that it sends. */
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
