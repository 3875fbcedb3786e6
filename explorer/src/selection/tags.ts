// Documents that somebody tagged, whatever is selected. The browser keeps them.

import { keep, kept } from "../look/keeping";
import { telling } from "../look/telling";

/** Tagged documents, by their numbers in the corpus. */
export class Tags {
  readonly onChange = telling();
  private numbers = new Set<number>();

  /** `key` is where the browser keeps them. */
  constructor(readonly key: string) {
    this.numbers = read(kept(key));
  }

  get all(): number[] {
    return [...this.numbers].sort((a, b) => a - b);
  }

  has(number: number): boolean {
    return this.numbers.has(number);
  }

  toggle(number: number): void {
    this.numbers = read(kept(this.key)); // another window may have changed them
    if (!this.numbers.delete(number)) this.numbers.add(number);
    this.keep();
  }

  clear(): void {
    this.numbers.clear();
    this.keep();
  }

  /** Takes over what another window kept. */
  follow(): void {
    this.numbers = read(kept(this.key));
    this.onChange.tell();
  }

  private keep(): void {
    keep(this.key, JSON.stringify(this.all));
    this.onChange.tell();
  }
}

/** The numbers that a text holds; none if it holds something else. */
function read(json: string): Set<number> {
  try {
    const found: unknown = JSON.parse(json);
    return new Set(Array.isArray(found) ? found.filter((one) => Number.isInteger(one)) : []);
  } catch {
    return new Set();
  }
}
