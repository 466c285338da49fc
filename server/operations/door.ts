/** What other rooms use of operations. */
export { readBacklog, type Waiting } from './backlog.ts'
export type { Metrics } from './metrics.ts'
export { requestTimes } from './request-times.ts'
