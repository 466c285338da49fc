import { group } from '../command.ts'

export default group({ summary: 'The settings of the service' })
