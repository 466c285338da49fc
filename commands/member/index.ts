import { group } from '../command.ts'

export default group({ summary: 'List the members of the tenant' })
