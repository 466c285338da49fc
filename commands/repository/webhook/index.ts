import { group } from '../../../cli/declare.ts'

export default group({ summary: 'Receive pushes of a repository by a webhook' })
