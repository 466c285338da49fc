import { group } from '../command.ts'

export default group({ summary: 'Keys of agents: a toolset, an expiry, a revocation' })
