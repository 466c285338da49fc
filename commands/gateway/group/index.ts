import { group } from '../../../cli/declare.ts'

export default group({ summary: 'List and set managed groups of rules' })
