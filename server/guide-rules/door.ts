/** What other rooms use of guide rules. */
export { builtinGuides, everyRule, findBuiltin, type BuiltinGuide } from './builtin.ts'
export { builtinDigest, digestOfRules } from './digest.ts'
export { recommendedGuide, recommendedRules, type Applicable, type LintGuide, type RuleSource } from './guide.ts'
export { listBuiltin, settingsLike } from './list.ts'
export { assertNotEmpty } from './own-rules.ts'
