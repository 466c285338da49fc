import { group } from '../../cli/declare.ts'

export default group({ summary: 'Change reports of published versions' })
