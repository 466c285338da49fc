import { group } from '../command.ts'

export default group({ summary: 'List, show, make, change and delete projects' })
