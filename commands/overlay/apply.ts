import { serializeExactly } from '../../src/convert/text.ts'
import { applyOverlay } from '../../src/overlay/apply.ts'
import { outputOptions, syntaxOf, writeOutput } from '../../cli/convert/output.ts'
import { command } from '../../cli/declare.ts'
import {
  actionData,
  appliedSentence,
  overlayArguments,
  readOverlayTask,
  warnOfUnmatched,
} from '../../cli/overlay/read.ts'

export default command({
  summary: 'Apply overlays to a document',
  description:
    'Applies overlays (Overlay 1.0 and 1.1, JSONPath by RFC 9535) in the order that is given, each to what the one before it made. The text keeps its comments, order and style wherever nothing changes. Without OVERLAYS, the first name is an overlay, and the document is the one that it extends. An action that matches nothing is a warning. Exit codes: 4 if an action matched nothing and --fail-on-unmatched was given, 6 if an overlay is not valid or does not fit the document.',
  examples: [
    'svc overlay apply openapi.yaml overlay.yaml -o dist/openapi.yaml',
    'svc overlay apply openapi.json internal.yaml partners.yaml',
    'svc overlay apply overlay.yaml',
    'svc overlay apply https://example.com/openapi.yaml overlay.yaml --fail-on-unmatched',
  ],
  arguments: overlayArguments,
  options: {
    ...outputOptions,
    'fail-on-unmatched': { type: 'boolean', summary: 'exit with 4 and write nothing if an action matches nothing' },
  },
  endsAtOnce: true,
  async run(invocation) {
    const { args, options, cwd, io } = invocation
    const { document, overlays } = await readOverlayTask(args, invocation)
    const applied = applyOverlay(document, overlays)
    const isRefused = warnOfUnmatched(applied.actions, overlays, invocation) > 0 && options['fail-on-unmatched']
    const syntax = syntaxOf(options, document.syntax)
    const made =
      syntax === document.syntax ? applied.document.text : serializeExactly(applied.document.exactValue(), syntax)
    const text = isRefused ? '' : await writeOutput(made, options, cwd)
    if (isRefused) io.log.error('Nothing was written, because of --fail-on-unmatched.')
    else if (text === null) io.log.info(`Wrote ${options.output}: ${appliedSentence(applied.actions)}.`)
    return {
      exitCode: isRefused ? 4 : 0,
      data: {
        document: document.source,
        syntax,
        output: text === null ? options.output : null,
        actions: applied.actions.map(actionData),
        ...(text === null || isRefused ? {} : { result: applied.document.value }),
      },
      text: text ?? '',
    }
  },
})
