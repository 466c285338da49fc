import { group } from '../command.ts'

export default group({ summary: 'list and show projects' })
