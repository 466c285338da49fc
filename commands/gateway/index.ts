import { group } from '../../cli/declare.ts'

export default group({ summary: 'Manage environments of gateways and their security policies' })
