// Exact inference in the latent tree, for one document at a time.

/** log(e^a + e^b). */
function plus(a: number, b: number): number {
  return a > b ? a + Math.log1p(Math.exp(b - a)) : b + Math.log1p(Math.exp(a - b));
}

/** What is left open: whether the document has a word, what it has or what it lacks. */
type Open = number | "present" | "absent" | null;

/** The latent tree of the page. All results are logarithms of odds. */
export class Model {
  private readonly order: number[] = []; // latent variables, parents first
  private readonly absent: Float64Array; // log P(no word of it | state), two per latent
  private readonly on: Float64Array; // log P(node = 1 | state of its parent)
  private readonly off: Float64Array;

  constructor(
    private readonly parent: Int32Array,
    probability: Float64Array,
    private readonly words: number,
  ) {
    const inside = probability.map((p) => Math.min(Math.max(p, 1e-300), 1 - 1e-16));
    this.on = inside.map((p) => Math.log(p));
    this.off = inside.map((p) => Math.log1p(-p));
    const latents = parent.length - words;
    this.absent = new Float64Array(2 * latents);
    for (let word = 0; word < words; word++) {
      const above = parent[word] - words;
      this.absent[2 * above] += this.off[2 * word];
      this.absent[2 * above + 1] += this.off[2 * word + 1];
    }
    const children: number[][] = Array.from({ length: latents }, () => []);
    for (let latent = 0; latent < latents; latent++) {
      const above = parent[latent + words];
      if (above < 0) this.order.push(latent);
      else children[above - words].push(latent);
    }
    for (let k = 0; k < this.order.length; k++) this.order.push(...children[this.order[k]]);
  }

  /** log P(latent = 1 | document) / P(latent = 0 | document) of every latent variable. Whether the
   * document has what is `open` is taken as unknown: a word, all words that it has, or all words
   * that it lacks. */
  logOdds(present: ArrayLike<number>, open: Open = null): Float64Array {
    const { on, off } = this;
    const up = open === "absent" ? new Float64Array(this.absent.length) : this.absent.slice();
    for (let k = 0; k < present.length; k++) {
      if (open !== "absent") this.add(up, present[k], off, -1);
      if (open !== "present") this.add(up, present[k], on, 1);
    }
    if (typeof open === "number") {
      this.add(up, open, Array.prototype.includes.call(present, open) ? on : off, -1);
    }
    return this.passed(up);
  }

  /** The same if nothing is known but a single word, present or absent; or, for word -1, nothing
   * at all. */
  logOddsFromAlone(word: number, present: boolean): Float64Array {
    const up = new Float64Array(this.absent.length);
    if (word >= 0) this.add(up, word, present ? this.on : this.off, 1);
    return this.passed(up);
  }

  /** Sends messages up to the root and down again; `up` is log P(words right below | state). */
  private passed(up: Float64Array): Float64Array {
    const { order, parent, words, on, off } = this;
    const sent = new Float64Array(up.length); // from a latent variable to its parent
    for (let k = order.length - 1; k > 0; k--) {
      const latent = order[k];
      const node = latent + words;
      const above = parent[node] - words;
      for (let state = 0; state < 2; state++) {
        const p = 2 * node + state;
        sent[2 * latent + state] = plus(off[p] + up[2 * latent], on[p] + up[2 * latent + 1]);
        up[2 * above + state] += sent[2 * latent + state];
      }
    }
    for (const latent of order) {
      const node = latent + words;
      const above = parent[node] - words;
      if (above < 0) {
        up[2 * latent] += off[2 * node];
        up[2 * latent + 1] += on[2 * node];
        continue;
      }
      const without0 = up[2 * above] - sent[2 * latent];
      const without1 = up[2 * above + 1] - sent[2 * latent + 1];
      up[2 * latent] += plus(off[2 * node] + without0, off[2 * node + 1] + without1);
      up[2 * latent + 1] += plus(on[2 * node] + without0, on[2 * node + 1] + without1);
    }
    const odds = new Float64Array(order.length);
    for (let latent = 0; latent < odds.length; latent++) {
      odds[latent] = up[2 * latent + 1] - up[2 * latent];
    }
    return odds;
  }

  private add(up: Float64Array, word: number, logs: Float64Array, times: number): void {
    const above = this.parent[word] - this.words;
    up[2 * above] += times * logs[2 * word];
    up[2 * above + 1] += times * logs[2 * word + 1];
  }
}

/** What a word, present or absent, says about a latent variable, as logarithms of exact likelihood
 * ratios: `alone` if nothing else is known of the document, `rest` if all other words are. */
export interface Evidence {
  readonly word: number;
  readonly present: boolean;
  readonly alone: number;
  readonly rest: number;
}

/** The evidence of the words that a document has, and of some that it lacks. */
export function evidence(
  model: Model,
  latent: number,
  present: Uint32Array,
  lacking: number[],
): Evidence[] {
  const known = model.logOdds(present)[latent];
  const nothing = model.logOddsFromAlone(-1, false)[latent];
  const found = (word: number, there: boolean): Evidence => ({
    word,
    present: there,
    alone: model.logOddsFromAlone(word, there)[latent] - nothing,
    rest: known - model.logOdds(present, word)[latent],
  });
  return [
    ...Array.from(present, (word) => found(word, true)),
    ...lacking.map((word) => found(word, false)),
  ];
}

/** What all words that a document has say together, and all words that it lacks. */
export function together(model: Model, latent: number, present: Uint32Array): [number, number] {
  const known = model.logOdds(present)[latent];
  return [
    known - model.logOdds(present, "present")[latent],
    known - model.logOdds(present, "absent")[latent],
  ];
}
