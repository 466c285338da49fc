/** What other rooms use of gateway policy. */
export { boundAmong, boundEnvironments, boundVersion, strongestMode, versionsOf } from './bound.ts'
export { approvalError, takeApproval, type Asking, type RiskyChange } from './change.ts'
export type { Enforcement } from './enforcement.ts'
export { instantOf, invalidLine, linesOf, networkOf, readSent, type SentMatch, type SentSeen } from './event-lines.ts'
export { environmentKey, evidenceKey } from './evidence.ts'
export { narrowingOf, narrowsRequests } from './narrowing.ts'
export { checkedBody } from './operations.ts'
export { isComparable } from './positive.ts'
export { addCounts, addRows, knownIds, knownLikenesses, likenessOf, merged, rememberIds } from './record-events.ts'
export {
  appendAudit,
  findEnvironment,
  lockEnvironment,
  readPolicy,
  type EnvironmentRow,
  type EventRow,
} from './store.ts'
export { changesToDecide, type ChangeToDecide } from './to-decide.ts'
