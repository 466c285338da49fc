import { group } from '../../cli/declare.ts'

export default group({ summary: 'The tenant: what it holds, who it belongs to, what happened in it' })
