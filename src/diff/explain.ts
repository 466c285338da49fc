import type { Fact } from './fact.ts'
import { shorten } from './describe.ts'

/** The rule id and the sentence of a fact. */
export const explain = (fact: Fact): { readonly id: string; readonly message: string } => {
  const id = [fact.direction, fact.area, fact.kind === 'itself' ? null : fact.kind, fact.action]
    .filter((it) => it !== null)
    .join('-')
  return {
    id,
    message: `${fact.subject}: ${fact.kind} ${fact.action} (${shorten(fact.before)} → ${shorten(fact.after)})`,
  }
}
