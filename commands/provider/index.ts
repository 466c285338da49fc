import { group } from '../../cli/declare.ts'

export default group({
  summary: 'Set up how accounts of git providers are linked, on the machine that has the data',
})
