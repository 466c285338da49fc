import { command } from '../cli/declare.ts'
import { compare, comparingArguments, comparingOptions } from '../cli/diff/compare.ts'

export default command({
  summary: 'Fail where a document breaks what another one promised',
  description:
    'The same comparison as "svc diff --fail-on breaking": exit 4 on a breaking or undecided change, else 0.',
  examples: ['svc breaking main:openapi.yaml openapi.yaml', 'svc breaking old.json new.json --format github-actions'],
  arguments: comparingArguments,
  options: comparingOptions,
  envelope: 'changes',
  run: (invocation) => compare(invocation, 'breaking'),
})
