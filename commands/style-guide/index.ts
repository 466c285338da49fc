import { group } from '../../cli/declare.ts'

export default group({ summary: 'Manage style guides and publishing policies' })
