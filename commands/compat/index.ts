import { group } from '../../cli/declare.ts'

export default group({ summary: 'Check the compatibility of versions and record evidence' })
