import { group } from '../command.ts'

export default group({ summary: 'list, show, lint and publish versions' })
