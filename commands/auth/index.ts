import { group } from '../../cli/declare.ts'

export default group({ summary: 'Sign in and out, who you are and which tenants you reach' })
