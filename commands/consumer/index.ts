import { group } from '../../cli/declare.ts'

export default group({ summary: 'Manage consumers of a project and what they use' })
