import { group } from '../command.ts'

export default group({ summary: 'List, show, lint and publish versions' })
