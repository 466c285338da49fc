import { group } from '../../../cli/declare.ts'

export default group({ summary: 'Manage the gateways that enforce the policy of an environment' })
