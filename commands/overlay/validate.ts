import type { Problem } from '../../src/document/document.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { formatPointer } from '../../src/kernel/pointer.ts'
import { plural } from '../../src/kernel/plural.ts'
import { placedMessage, readOverlay } from '../../src/overlay/read.ts'
import { command } from '../../cli/declare.ts'
import { readSource } from '../../cli/input/document-side.ts'

const problemData = ({ code, severity, message, path, range: { start } }: Problem): object => ({
  code,
  severity,
  message,
  line: start.line + 1,
  column: start.character + 1,
  pointer: formatPointer(path),
})

export default command({
  summary: 'Check overlays alone',
  description:
    'Checks the structure of overlays by the published schemas of Overlay 1.0 and 1.1 (and the draft of 1.2), and their JSONPath queries by RFC 9535. Every problem has its line and column. Exit codes: 6 if one of the files is not a valid overlay.',
  examples: ['svc overlay validate overlay.yaml', 'svc overlay validate overlays/*.yaml --json'],
  arguments: [
    {
      name: 'files',
      required: true,
      variadic: true,
      summary: 'overlays: files, http(s) addresses, REVISION:PATH of git, or -',
    },
  ],
  options: {},
  endsAtOnce: true,
  async run(invocation) {
    const lines: string[] = []
    const files: object[] = []
    let isValid = true
    for (const name of invocation.args.files) {
      const { text, name: source } = await readSource(name, invocation)
      const { overlay, problems } = readOverlay(parseDocument(text, { source }))
      isValid &&= overlay !== null
      lines.push(
        ...problems.map((it) => `${placedMessage(source, it).replace(/^(.*?:\d+:\d+: )/, `$1${it.severity}: `)}\n`),
      )
      if (overlay !== null)
        lines.push(`${source}: valid Overlay ${overlay.version}, ${plural(overlay.actions.length, 'action')}\n`)
      files.push({
        file: source,
        valid: overlay !== null,
        version: overlay?.version ?? null,
        actions: overlay?.actions.length ?? null,
        problems: problems.map(problemData),
      })
    }
    return { exitCode: isValid ? 0 : 6, data: { files }, text: lines.join('') }
  },
})
