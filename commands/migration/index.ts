import { group } from '../command.ts'

export default group({ summary: 'Migration rules of classes between two versions' })
