import { group } from '../../cli/declare.ts'

export default group({ summary: 'Compatibility of revisions: checks and evidence for gates' })
