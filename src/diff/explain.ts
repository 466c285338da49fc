import type { Fact } from './fact.ts'
import { ruleIdOf } from './rule.ts'
import { rules } from './rules.ts'

/** The rule id and the sentence of a fact. Every fact has a rule: a check cannot name one that does not exist. */
export const explain = (fact: Fact): { readonly id: string; readonly message: string } => {
  const id = ruleIdOf(fact)
  const message = rules.get(id)?.message(fact) ?? `${fact.subject} was changed`
  const text = message.charAt(0).toUpperCase() + message.slice(1)
  const remark = fact.verdict === 'unknown' && fact.reason ? fact.reason : fact.remark
  return { id, message: remark === undefined ? text : `${text} (${remark})` }
}
