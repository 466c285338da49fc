import { group } from '../../cli/declare.ts'

export default group({ summary: 'Keys of agents: a toolset, an expiry, a revocation' })
