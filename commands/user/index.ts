import { group } from '../command.ts'

export default group({ summary: 'People who can sign in, managed on the machine that holds the data' })
