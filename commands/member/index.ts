import { group } from '../../cli/declare.ts'

export default group({ summary: 'Manage members of the organization: roles, invitations, suspension' })
