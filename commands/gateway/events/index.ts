import { group } from '../../../cli/declare.ts'

export default group({ summary: 'List and import what gateways recorded' })
