import { group } from '../../cli/declare.ts'

export default group({ summary: 'Sign in, sign out, and show your account and organizations' })
