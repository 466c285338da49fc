import { group } from '../command.ts'

export default group({ summary: 'Consumers of a project and what they use of it' })
