import { group } from '../../cli/declare.ts'

export default group({ summary: 'List, show, open, lint, publish and retire versions' })
