import { group } from '../../cli/declare.ts'

export default group({ summary: 'Manage the keys of stored secrets, on the machine that has the data' })
