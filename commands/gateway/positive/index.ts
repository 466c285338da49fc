import { group } from '../../../cli/declare.ts'

export default group({ summary: 'Compare requests with a published document' })
