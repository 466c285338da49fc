import { group } from '../../../cli/declare.ts'

export default group({ summary: 'Templates of change reports: of a project, before those of the tenant' })
