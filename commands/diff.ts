import { changeSeverities } from '../src/diff/change.ts'
import { command } from '../cli/declare.ts'
import { compare, comparingArguments, comparingOptions } from '../cli/diff/compare.ts'

export default command({
  summary: 'Compare two documents and classify every change',
  description:
    'Schemas are compared by the values they allow: a change breaks when a value that was valid is refused, and that value is shown. What cannot be decided counts as breaking until --allow-unknown says otherwise. Files need no account.',
  examples: [
    'svc diff old.yaml new.yaml',
    'svc diff main:openapi.yaml openapi.yaml --format md --fail-on breaking',
    'svc diff payments@latest openapi.yaml --report sarif=diff.sarif --report junit=diff.xml',
  ],
  arguments: comparingArguments,
  options: {
    ...comparingOptions,
    'fail-on': {
      type: 'string',
      placeholder: 'SEVERITY',
      choices: changeSeverities,
      summary: 'exit 4 on a change at or above it',
    },
  },
  envelope: 'changes',
  run: (invocation) => compare(invocation, invocation.options['fail-on']),
})
