// What the browser keeps between visits, such as settings, tags and a draft of a story.

const here = new Map<string, string>(); // used if the browser refuses its storage

export function kept(key: string): string {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return here.get(key) ?? "";
  }
}

/** Keeps a text under a key; without storage, until the page is left. */
export function keep(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    here.set(key, text);
  }
}
