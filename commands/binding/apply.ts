import { bindingsApi } from '../../src/api/bindings.ts'
import { command } from '../../cli/declare.ts'
import { candidateArguments, candidateOptions, resolveCandidate } from '../../cli/binding/shared.ts'

export default command({
  summary: 'Apply a candidate: the binding advances to its commit, the draft stays as it is',
  examples: ['svc binding apply shop 2.0.0 01a1fdb6-5607-74ce-8102-e0af632fd4cf --note "see #12"'],
  arguments: candidateArguments,
  options: candidateOptions,
  dataSchema: bindingsApi.resolve.response,
  run: (invocation) => resolveCandidate(invocation, 'applied'),
})
