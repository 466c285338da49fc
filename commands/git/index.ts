import { group } from '../../cli/declare.ts'

export default group({ summary: 'Let git merge and compare API descriptions by what they mean' })
