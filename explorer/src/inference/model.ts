// Exact inference in the latent tree, for one document at a time.

/** The latent tree, as the page holds it. The first states of a latent variable are its background;
 * in any other state, its topic is on. */
export interface Tree {
  readonly parent: Int32Array; // of each node, words first; -1 for the root
  readonly states: Uint8Array; // how many each latent variable has
  readonly background: Uint8Array; // how many of them are its background
  readonly word: Float64Array; // P(present | j) / P(absent | j), by word and state j of its parent
  readonly latent: Float64Array; // P(k | j) / P(0 | j), by latent variable, j and k from 1
}

/** What is left open: whether the document has a word, what it has or what it lacks. */
type Open = number | "present" | "absent" | null;

/** Inference in the tree. All results are logarithms of the odds that a latent variable is on.
 *
 * Numbers of one kind are in one array, those of a latent variable or word beside each other:
 * `stateAt`, `givenAt`, `sentAt` and `wordAt` say where they begin. */
export class Model {
  private readonly words: number;
  private readonly order: number[] = []; // latent variables, parents first
  private readonly above: Int32Array; // where the states of each node's parent begin; -1 for the root
  private readonly stateAt: Int32Array;
  private readonly background: Uint8Array;
  private readonly given: Float64Array; // P(state k | state j of the parent)
  private readonly givenAt: Int32Array;
  private readonly sentAt: Int32Array; // messages to the parent, one for each state j of it
  private readonly present: Float64Array; // log P(word present | state j of its parent)
  private readonly lacking: Float64Array; // log P(word absent | state j of its parent)
  private readonly wordAt: Int32Array;
  private readonly absent: Float64Array; // log P(no word right below | state), by latent and state
  private readonly weight = new Float64Array(256); // of the states of one latent variable

  constructor({ parent, states, background, word, latent }: Tree) {
    const latents = states.length;
    this.background = background;
    this.words = parent.length - latents;
    // The root has a single row, as if it had a parent with one state.
    const rows = Array.from(parent, (up) => (up < 0 ? 1 : states[up - this.words]));
    const rowsOfLatents = rows.slice(this.words);
    this.stateAt = starts(states);
    this.sentAt = starts(rowsOfLatents);
    this.givenAt = starts(rowsOfLatents.map((count, v) => count * states[v]));
    this.wordAt = starts(rows.slice(0, this.words));
    this.above = parent.map((up) => (up < 0 ? -1 : this.stateAt[up - this.words]));
    this.present = word.map((odds) => -Math.log1p(1 / odds));
    this.lacking = word.map((odds) => -Math.log1p(odds));
    this.absent = new Float64Array(this.stateAt[latents]);
    for (let w = 0; w < this.words; w++) this.add(this.absent, w, this.lacking, 1);
    this.given = this.probabilities(latent);
    const children: number[][] = Array.from({ length: latents }, () => []);
    for (let v = 0; v < latents; v++) {
      const up = parent[v + this.words];
      if (up < 0) this.order.push(v);
      else children[up - this.words].push(v);
    }
    for (let k = 0; k < this.order.length; k++) this.order.push(...children[this.order[k]]);
  }

  /** log P(on | document) / P(off | document) of every latent variable. Whether the document
   * has what is `open` is taken as unknown: a word, all words that it has, or all words that it
   * lacks. */
  logOdds(present: ArrayLike<number>, open: Open = null): Float64Array {
    const up = open === "absent" ? new Float64Array(this.absent.length) : this.absent.slice();
    for (let k = 0; k < present.length; k++) {
      if (open !== "absent") this.add(up, present[k], this.lacking, -1);
      if (open !== "present") this.add(up, present[k], this.present, 1);
    }
    if (typeof open === "number") {
      const there = Array.prototype.includes.call(present, open);
      this.add(up, open, there ? this.present : this.lacking, -1);
    }
    return this.passed(up);
  }

  /** The same if nothing is known but a single word, present or absent; or, for word -1, nothing
   * at all. */
  logOddsFromAlone(word: number, present: boolean): Float64Array {
    const up = new Float64Array(this.absent.length);
    if (word >= 0) this.add(up, word, present ? this.present : this.lacking, 1);
    return this.passed(up);
  }

  /** Sends messages up to the root and down again; `up` is log P(words right below | state). */
  private passed(up: Float64Array): Float64Array {
    return this.distributed(up, this.collected(up));
  }

  /** Adds to `up` what the latent variables below a state say of it; returns their messages,
   * log P(words below | state of the parent). */
  private collected(up: Float64Array): Float64Array {
    const { order, stateAt, sentAt, given, weight } = this;
    const sent = new Float64Array(sentAt[order.length]);
    for (let i = order.length - 1; i > 0; i--) {
      const latent = order[i];
      const count = stateAt[latent + 1] - stateAt[latent];
      const most = weigh(up, stateAt[latent], count, weight);
      let to = this.above[latent + this.words];
      let at = this.givenAt[latent];
      for (let message = sentAt[latent]; message < sentAt[latent + 1]; message++) {
        let sum = 0;
        for (let k = 0; k < count; k++) sum += given[at++] * weight[k];
        sent[message] = most + Math.log(sum);
        up[to++] += sent[message];
      }
    }
    return sent;
  }

  /** Adds to `up` what everything else says of each state, and returns the log-odds. */
  private distributed(up: Float64Array, sent: Float64Array): Float64Array {
    const { order, stateAt, sentAt, given, weight } = this;
    const odds = new Float64Array(order.length);
    for (const latent of order) {
      const begin = stateAt[latent];
      const count = stateAt[latent + 1] - begin;
      const message = sentAt[latent];
      const rows = sentAt[latent + 1] - message;
      const above = this.above[latent + this.words];
      // From here on, the message is that of the parent without this latent variable.
      for (let j = 0; j < rows && above >= 0; j++) {
        sent[message + j] = up[above + j] - sent[message + j];
      }
      const most = weigh(sent, message, rows, weight);
      for (let k = 0; k < count; k++) {
        let sum = 0;
        let at = this.givenAt[latent] + k;
        for (let j = 0; j < rows; j++, at += count) sum += given[at] * weight[j];
        up[begin + k] += most + Math.log(sum);
      }
      const off = this.background[latent];
      odds[latent] = this.total(up, begin + off, count - off) - this.total(up, begin, off);
    }
    return odds;
  }

  /** The logarithm of a sum of numbers, from their logarithms. */
  private total(logs: Float64Array, begin: number, count: number): number {
    const most = weigh(logs, begin, count, this.weight);
    let sum = 0;
    for (let k = 0; k < count; k++) sum += this.weight[k];
    return most + Math.log(sum);
  }

  /** Every P(state k | state j of the parent), from the odds against state 0. */
  private probabilities(odds: Float64Array): Float64Array {
    const { stateAt, givenAt } = this;
    const found = new Float64Array(givenAt[givenAt.length - 1]);
    let from = 0;
    for (let latent = 0; latent + 1 < stateAt.length; latent++) {
      const count = stateAt[latent + 1] - stateAt[latent];
      for (let at = givenAt[latent]; at < givenAt[latent + 1]; at += count) {
        const row = found.subarray(at, at + count);
        row[0] = 1;
        for (let k = 1; k < count; k++) row[k] = odds[from++];
        const total = row.reduce((sum, one) => sum + one);
        for (let k = 0; k < count; k++) row[k] /= total;
      }
    }
    return found;
  }

  private add(up: Float64Array, word: number, logs: Float64Array, times: number): void {
    const to = this.above[word];
    const at = this.wordAt[word];
    for (let j = 0; at + j < this.wordAt[word + 1]; j++) up[to + j] += times * logs[at + j];
  }
}

/** Where each part begins, if they have these lengths, and where the last one ends. */
function starts(lengths: ArrayLike<number>): Int32Array {
  const found = new Int32Array(lengths.length + 1);
  for (let k = 0; k < lengths.length; k++) found[k + 1] = found[k] + lengths[k];
  return found;
}

/** Sets `weight` to numbers in proportion to e^logs, the largest of them 1; returns its logarithm. */
function weigh(logs: Float64Array, begin: number, count: number, weight: Float64Array): number {
  let most = logs[begin];
  for (let k = 1; k < count; k++) most = Math.max(most, logs[begin + k]);
  for (let k = 0; k < count; k++) weight[k] = Math.exp(logs[begin + k] - most);
  return most;
}

/** What a word, present or absent, says about whether a latent variable is on, as logarithms of
 * exact likelihood ratios: `alone` if nothing else is known of the document, `rest` if all other
 * words are. */
export interface Evidence {
  readonly word: number;
  readonly present: boolean;
  readonly alone: number;
  readonly rest: number;
}

/** The evidence of the words that a document has, and of some that it lacks; `rest` is computed when
 * it is asked for. */
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
    get rest() {
      return known - model.logOdds(present, word)[latent];
    },
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
