import { group } from '../../cli/declare.ts'

export default group({ summary: 'The public portal: what is published for everybody, and its badges' })
