import { group } from '../command.ts'

export default group({ summary: 'The tenant: what it holds, who it belongs to, what happened in it' })
