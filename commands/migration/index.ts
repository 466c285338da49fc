import { group } from '../../cli/declare.ts'

export default group({ summary: 'Migration rules of classes between two versions' })
