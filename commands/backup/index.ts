import { group } from '../command.ts'

export default group({ summary: 'Backups of the workspace or the database' })
