import { group } from '../../cli/declare.ts'

export default group({
  summary: 'Manage what signing in at the identity provider gives',
  commands: {},
})
