import { group } from '../command.ts'

export default group({ summary: 'List, show, open, lint, publish and retire versions' })
