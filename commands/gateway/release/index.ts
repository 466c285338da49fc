import { group } from '../../../cli/declare.ts'

export default group({ summary: 'Show, compare, download and take back what gateways were given' })
