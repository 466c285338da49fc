import { group } from '../../cli/declare.ts'

export default group({ summary: 'Discuss places of a document in threads' })
