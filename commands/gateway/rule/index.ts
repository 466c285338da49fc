import { group } from '../../../cli/declare.ts'

export default group({ summary: 'Manage custom rules' })
