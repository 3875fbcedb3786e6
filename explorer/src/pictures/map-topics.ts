// Which topics each document is on, and which of them tell most of it.

import type { Documents } from "../page/documents";
import type { Page, Topic } from "../page/page";

/** The topics of each document. */
export class TopicsOf {
  /** How many documents are on each topic. */
  readonly many: Uint32Array;
  private readonly starts: Uint32Array;
  private readonly topics: Uint16Array;

  constructor(
    documents: Documents,
    private readonly page: Pick<Page, "topics">,
  ) {
    const { count } = documents;
    const starts = new Uint32Array(count + 1);
    this.many = new Uint32Array(page.topics.length);
    documents.eachOn(0.5, (document, topic) => {
      starts[document + 1]++;
      this.many[topic]++;
    });
    for (let document = 0; document < count; document++) starts[document + 1] += starts[document];
    const at = starts.slice();
    this.topics = new Uint16Array(starts[count]);
    documents.eachOn(0.5, (document, topic) => {
      this.topics[at[document]++] = topic;
    });
    this.starts = starts;
  }

  /** The topics that a document is on. */
  of(document: number): Uint16Array {
    return this.topics.subarray(this.starts[document], this.starts[document + 1]);
  }

  /** What being on a topic tells of a document, in nats: the rarer the topic, the more. */
  tells(topic: number): number {
    return Math.log((this.starts.length - 1) / Math.max(1, this.many[topic]));
  }

  /** A few topics that tell most of a document, none of them vague: of each branch the rarest, and the
   * branches of whose topics it is on most first. */
  main(document: number, most: number): Topic[] {
    const branches = new Map<number, { rarest: Topic; told: number }>();
    for (const index of this.of(document)) {
      const topic = this.page.topics[index];
      if (topic.gone || topic.vague) continue;
      const { rarest, told } = branches.get(topic.branch) ?? { rarest: topic, told: 0 };
      const rarer = this.many[index] < this.many[rarest.index] ? topic : rarest;
      branches.set(topic.branch, { rarest: rarer, told: told + this.tells(index) });
    }
    return [...branches.values()]
      .sort((a, b) => b.told - a.told)
      .slice(0, most)
      .map(({ rarest }) => rarest);
  }
}
