import { group } from '../../cli/declare.ts'

export default group({ summary: 'Manage webhook subscriptions, their deliveries, and receive events locally' })
