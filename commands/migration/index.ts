import { group } from '../../cli/declare.ts'

export default group({ summary: 'Manage migration rules of schemas between two versions' })
