import { group } from '../../cli/declare.ts'

export default group({ summary: 'Manage versions: show, lint, publish, retire' })
