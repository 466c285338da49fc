import { group } from '../../cli/declare.ts'

export default group({ summary: 'List, show, make, change and delete projects' })
