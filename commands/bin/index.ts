import { group } from '../../cli/declare.ts'

export default group({ summary: 'Restore what was deleted in the last 30 days' })
