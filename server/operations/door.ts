/** What other rooms use of operations. */
export type { Metrics } from './metrics.ts'
