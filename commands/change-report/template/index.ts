import { group } from '../../../cli/declare.ts'

export default group({ summary: 'Manage templates of change reports, per project or organization' })
