import { group } from '../../cli/declare.ts'

export default group({ summary: 'Manage API keys, on the machine that has the data' })
