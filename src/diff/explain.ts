import type { Fact } from './fact.ts'
import { ruleIdOf } from './rule.ts'
import { rules } from './rules.gen.ts'

/** The rule id and the sentence of a fact. What no rule explains is still told, in the words by which it was looked for. */
export const explain = (fact: Fact): { readonly id: string; readonly message: string } => {
  const id = ruleIdOf(fact)
  const rule = rules.get(id)
  const message = rule ? rule.message(fact) : `${fact.subject}: ${fact.kind} was ${fact.action}`
  const text = message.charAt(0).toUpperCase() + message.slice(1)
  return { id, message: fact.verdict === 'unknown' && fact.reason ? `${text} (${fact.reason})` : text }
}
