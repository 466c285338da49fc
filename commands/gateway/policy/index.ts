import { group } from '../../../cli/declare.ts'

export default group({ summary: 'Show and change security policies' })
