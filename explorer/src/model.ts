// Exact inference in the latent tree, for one document at a time.

/** Adds up e^a and e^b, given and returned as logarithms. */
function plus(a: number, b: number): number {
  return a > b ? a + Math.log1p(Math.exp(b - a)) : b + Math.log1p(Math.exp(a - b));
}

export class Model {
  private readonly order: number[] = []; // latent variables, parents first
  private readonly absent: Float64Array; // log P(none of its words | state), two a latent variable
  private readonly on: Float64Array; // log P(node = 1 | state of its parent)
  private readonly off: Float64Array;

  constructor(
    private readonly parent: Int32Array,
    private readonly probability: Float64Array,
    private readonly words: number,
  ) {
    this.on = probability.map((p) => Math.log(p));
    this.off = probability.map((p) => Math.log1p(-p));
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

  /** Log P(latent = 1 | document) / P(latent = 0 | document) of every latent variable; of the word
   * `unknown` it is left open whether the document has it. */
  logOdds(present: ArrayLike<number>, unknown = -1): Float64Array {
    const { order, parent, words, on, off } = this;
    const up = this.absent.slice(); // log P(what is below | state)
    for (let k = 0; k < present.length; k++) this.observe(up, present[k], on);
    if (unknown >= 0) {
      const above = parent[unknown] - words;
      const was = Array.prototype.includes.call(present, unknown) ? on : off;
      up[2 * above] -= was[2 * unknown];
      up[2 * above + 1] -= was[2 * unknown + 1];
    }
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

  private observe(up: Float64Array, word: number, on: Float64Array): void {
    const above = this.parent[word] - this.words;
    for (let state = 0; state < 2; state++) {
      const p = 2 * word + state;
      up[2 * above + state] += on[p] - this.off[p];
    }
  }

  /** The latent variable right above a word, or above a node. */
  above(node: number): number {
    return this.parent[node];
  }

  get nodes(): number {
    return this.probability.length / 2;
  }
}

/** How much likelier a topic is for a word, there or not, than if that were left open. */
export interface Evidence {
  readonly word: number;
  readonly present: boolean;
  readonly logRatio: number;
}

/** The exact likelihood ratio of each word of a document, and of some that it lacks, for a latent. */
export function evidence(
  model: Model,
  latent: number,
  present: Uint32Array,
  lacking: number[],
): Evidence[] {
  const with_ = model.logOdds(present)[latent];
  const found = (word: number, there: boolean): Evidence => ({
    word,
    present: there,
    logRatio: with_ - model.logOdds(present, word)[latent],
  });
  return [
    ...Array.from(present, (word) => found(word, true)),
    ...lacking.map((word) => found(word, false)),
  ];
}
