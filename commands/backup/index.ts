import { group } from '../../cli/declare.ts'

export default group({ summary: 'Backups of the workspace or the database' })
