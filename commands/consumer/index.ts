import { group } from '../../cli/declare.ts'

export default group({ summary: 'Consumers of a project and what they use of it' })
