import { group } from '../../cli/declare.ts'

export default group({ summary: 'Decide which rules apply to which project, and what missing them means' })
