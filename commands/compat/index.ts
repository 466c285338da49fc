import { group } from '../command.ts'

export default group({ summary: 'Compatibility of revisions: checks and evidence for gates' })
