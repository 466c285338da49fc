/** What other rooms use of role rules. */
export { applyRules, claimsWanted, type RuleDeps, type RuleSettings } from './apply.ts'
export { isInDirectory, joinDirectories, leaveDirectory, settleDirectory } from './directory.ts'
export { hasClaim } from './evaluate.ts'
export { rulesProblem } from './file.ts'
