import { group } from '../command.ts'

export default group({ summary: 'Change reports of published versions' })
