import { changeSeverities } from '../src/diff/change.ts'
import { command } from '../cli/declare.ts'
import { comparingOptions, optionalSides } from '../cli/diff/options.ts'
import { selectedResult, selectionTools } from '../cli/diff/selection.ts'
import { compareAsked } from '../cli/project-file/compare.ts'

export default command({
  summary: 'Compare two documents and classify every change',
  description:
    'Schemas are compared by the values they allow: a change breaks when a value that was valid is refused, and that value is shown. Undecided changes count as breaking unless --allow-unknown is given. Comparing files needs no account. Without BASE and HEAD, each API of svc.yaml is compared with what its compareWith names.',
  examples: [
    'svc diff old.yaml new.yaml',
    'svc diff',
    'svc diff shop',
    'svc diff main:openapi.yaml openapi.yaml --format md --fail-on breaking',
    'svc diff old.yaml new.yaml --match-path "/pets/**" --tag public',
    'svc diff v1/specs v2/specs.zip --fail-on breaking',
    'svc diff main:specs specs',
    'svc diff payments@latest openapi.yaml --report sarif=diff.sarif --report junit=diff.xml',
    'st run openapi.yaml $(svc diff main:openapi.yaml openapi.yaml --as schemathesis)',
  ],
  arguments: optionalSides,
  options: {
    ...comparingOptions,
    'fail-on': {
      type: 'string',
      placeholder: 'SEVERITY',
      choices: changeSeverities,
      summary: 'exit 4 on a change at or above it',
    },
    'exit-code': {
      type: 'boolean',
      summary: 'exit 0 unchanged, 10 only documentation, 11 compatible, 12 undecided, 13 breaking',
    },
    as: {
      type: 'string',
      placeholder: 'TOOL',
      choices: selectionTools,
      summary: 'print the operations that changed as the argument of a tool that selects them',
    },
  },
  endsAtOnce: true,
  envelope: 'changes',
  async run(invocation) {
    const { 'fail-on': failOn, 'exit-code': tellsOutcome, as } = invocation.options
    const result = await compareAsked(invocation, { failOn, tellsOutcome })
    return as === undefined ? result : selectedResult(result, as, invocation)
  },
})
