import { group } from '../../cli/declare.ts'

export default group({ summary: 'Bind drafts to refs of git repositories, and decide about what moved' })
