import { group } from '../../cli/declare.ts'

export default group({ summary: 'Manage change reports of published versions' })
