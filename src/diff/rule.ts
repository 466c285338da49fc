import type { Fact, Topic } from './fact.ts'

/** What explains one kind of change. A rule decides nothing: the verdict is derived before it is looked for. */
export interface Rule extends Topic {
  /** A few words for headings. */
  readonly title: string
  /** Why it matters and when it breaks somebody, for the documentation page. */
  readonly explain: string
  /** One sentence about one change. */
  readonly message: (fact: Fact) => string
  /** The rule of the opposite change, or why there is none. */
  readonly mirror: string | null
  readonly waiver?: string
  /** What other tools call it. */
  readonly aliases?: readonly string[]
}

export const topicKey = (topic: Topic): string => `${topic.direction ?? ''} ${topic.area} ${topic.kind} ${topic.action}`
