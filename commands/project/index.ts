import { group } from '../command.ts'

export default group({ summary: 'List and show projects' })
