import { group } from '../command.ts'

export default group({ summary: 'import documents into projects and versions' })
