import { group } from '../../cli/declare.ts'

export default group({ summary: 'Request and answer reviews of drafts' })
