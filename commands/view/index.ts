import { group } from '../../cli/declare.ts'

export default group({ summary: 'Manage saved views of the list of projects' })
