import { group } from '../../cli/declare.ts'

export default group({ summary: 'Manage user accounts, on the machine that has the data' })
