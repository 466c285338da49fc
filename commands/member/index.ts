import { group } from '../command.ts'

export default group({ summary: 'Members of the tenant: roles, invitations, suspension' })
