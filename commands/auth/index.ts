import { group } from '../command.ts'

export default group({ summary: 'Who you are and which tenants you reach' })
