import { group } from '../../cli/declare.ts'

export default group({ summary: 'Show the settings of svc' })
