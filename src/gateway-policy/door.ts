/** What the rest of the program uses of the policy of gateways: its words, its model, and what reads and checks it. */
export { approvalStates, type Consent, type NotApplied } from './approval.ts'
export {
  type GroupId,
  groupIds,
  type GroupMode,
  groupModes,
  groupOf,
  managedGroups,
  type TierId,
  tierIds,
  tiers,
} from './catalogue.ts'
export { differencesOf, risksOf } from './compare.ts'
export { policyDigest } from './digest.ts'
export { effectSentences } from './effect.ts'
export {
  type EventAction,
  eventActions,
  type EventMatch,
  type EventScore,
  severities,
  type Severity,
  severityScore,
} from './event.ts'
export { exceptionRefusalsOf } from './exception-check.ts'
export {
  type Expression,
  InvalidExpression,
  isTerm,
  type Operator,
  operatorsOf,
  readExpression,
  type Term,
} from './expression.ts'
export { type Field, fieldWords, namedFields, readField } from './field.ts'
export {
  effectiveMode,
  effectiveModes,
  type Exception,
  exceptionState,
  exceptionStates,
  firstPolicy,
  type GroupSetting,
  levelsOf,
  type Policy,
  type Positive,
  type PositiveCheck,
  positiveChecks,
  type PositiveMode,
  positiveModes,
  type Rate,
  type Rule,
  type RuleAction,
  ruleActions,
} from './model.ts'
export { narrowestExemption } from './narrowest.ts'
export { readNetwork } from './network.ts'
export {
  aroundBackslash,
  asSent,
  beforeQuestionMark,
  hasDots,
  hasQuestionMark,
  isEncodedTwice,
  isOdd,
  type Lean,
  leanOf,
  normalized,
  odd,
  opposite,
  type PathPattern,
  unclear,
  withoutEnd,
  withoutParameters,
} from './path-reading.ts'
export type { Replay } from './replay.ts'
export { patternProblem, refusalsOf } from './rule-check.ts'
export { parseExpression, printExpression, type TextProblem } from './text.ts'
