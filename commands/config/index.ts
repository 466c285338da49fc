import { group } from '../../cli/declare.ts'

export default group({ summary: 'The settings of the service' })
