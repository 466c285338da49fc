import { group } from '../../cli/declare.ts'

export default group({ summary: 'People who can sign in, managed on the machine that holds the data' })
