import { group } from '../../cli/declare.ts'

export default group({ summary: 'Members of the tenant: roles, invitations, suspension' })
