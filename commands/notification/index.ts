import { group } from '../../cli/declare.ts'

export default group({ summary: 'Read your notifications' })
