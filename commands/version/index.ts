import { group } from '../command.ts'

export default group({ summary: 'list, show and publish versions' })
