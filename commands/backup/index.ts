import { group } from '../../cli/declare.ts'

export default group({ summary: 'Create, verify and restore backups' })
