import { group } from '../../cli/declare.ts'

export default group({ summary: 'Register git repositories, list their files, import and refresh documents' })
