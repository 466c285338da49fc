import { group } from '../../cli/declare.ts'

export default group({ summary: 'Manage the types that API descriptions share' })
