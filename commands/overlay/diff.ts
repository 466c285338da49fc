import { changeSeverities } from '../../src/diff/change.ts'
import { applyOverlay } from '../../src/overlay/apply.ts'
import { command } from '../../cli/declare.ts'
import { compareRead } from '../../cli/diff/compare.ts'
import { comparingOptions } from '../../cli/diff/options.ts'
import { readWhole } from '../../cli/input/document-side.ts'
import { overlayArguments, readOverlayTask, warnOfUnmatched } from '../../cli/overlay/read.ts'

const {
  format,
  report,
  profile,
  config,
  severity,
  ignore,
  'as-of': asOf,
  'allow-unknown': allowUnknown,
} = comparingOptions

export default command({
  summary: 'Show what overlays change in a document',
  description:
    'Compares a document with what overlays make of it, and classifies every change as "svc diff" does. Without OVERLAYS, the first name is an overlay, and the document is the one that it extends. Exit codes: 4 on a change at or above --fail-on, 6 if an overlay is not valid or does not fit the document.',
  examples: [
    'svc overlay diff openapi.yaml overlay.yaml',
    'svc overlay diff openapi.yaml partners.yaml --fail-on breaking',
  ],
  arguments: overlayArguments,
  options: {
    format,
    report,
    profile,
    config,
    severity,
    ignore,
    'as-of': asOf,
    'allow-unknown': allowUnknown,
    'fail-on': {
      type: 'string',
      placeholder: 'SEVERITY',
      choices: changeSeverities,
      summary: 'exit 4 on a change at or above it',
    },
  },
  endsAtOnce: true,
  envelope: 'changes',
  async run(invocation) {
    const { args, options } = invocation
    const { source, document, overlays } = await readOverlayTask(args, invocation)
    const applied = applyOverlay(document, overlays)
    warnOfUnmatched(applied.actions, overlays, invocation)
    const base = await readWhole(source)
    const head = await readWhole({ ...source, text: applied.document.text })
    const names = overlays.map((it) => it.document.source).join(', ')
    return compareRead({ base, head, headName: `${source.name} (with ${names})` }, invocation, {
      failOn: options['fail-on'],
      tellsOutcome: false,
    })
  },
})
