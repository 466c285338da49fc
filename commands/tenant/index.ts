import { group } from '../../cli/declare.ts'

export default group({ summary: 'Manage the organization: content, ownership, plan and audit trail' })
