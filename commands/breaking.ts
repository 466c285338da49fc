import { command } from '../cli/declare.ts'
import { comparingOptions, optionalSides } from '../cli/diff/options.ts'
import { compareAsked } from '../cli/project-file/compare.ts'

export default command({
  summary: 'Exit with an error on breaking changes',
  description:
    'The same comparison as "svc diff --fail-on breaking": exits with 4 on a breaking or undecided change, otherwise 0. Without BASE and HEAD, each API of svc.yaml is compared with what its compareWith names.',
  examples: [
    'svc breaking',
    'svc breaking main:openapi.yaml openapi.yaml',
    'svc breaking old.json new.json --format github-actions',
  ],
  arguments: optionalSides,
  options: comparingOptions,
  endsAtOnce: true,
  envelope: 'changes',
  run: (invocation) => compareAsked(invocation, { failOn: 'breaking', tellsOutcome: false }),
})
