import { command } from '../cli/declare.ts'
import { compare } from '../cli/diff/compare.ts'
import { comparingArguments, comparingOptions } from '../cli/diff/options.ts'

export default command({
  summary: 'Exit with an error on breaking changes',
  description:
    'The same comparison as "svc diff --fail-on breaking": exits with 4 on a breaking or undecided change, otherwise 0.',
  examples: ['svc breaking main:openapi.yaml openapi.yaml', 'svc breaking old.json new.json --format github-actions'],
  arguments: comparingArguments,
  options: comparingOptions,
  endsAtOnce: true,
  envelope: 'changes',
  run: (invocation) => compare(invocation, { failOn: 'breaking', tellsOutcome: false }),
})
