import { group } from '../command.ts'

export default group({ summary: 'list the members of the tenant' })
