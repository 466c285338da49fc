import { group } from '../command.ts'

export default group({ summary: 'Decide which rules apply to which project, and what missing them means' })
