import { basename } from 'node:path'
import { parseDocument } from '../../src/document/parse.ts'
import { SvcError } from '../../src/errors.ts'
import { plural } from '../../src/kernel/plural.ts'
import { outputOptions, syntaxOf, writeOutput } from '../../cli/convert/output.ts'
import { command } from '../../cli/declare.ts'
import { readSource } from '../../cli/input/document-side.ts'
import { assertParsed, type Reading } from '../../cli/overlay/read.ts'
import { writtenOverlay } from '../../src/overlay/written.ts'
import { extendsOf } from '../../cli/overlay/extends.ts'

const side = 'a file, an http(s) address, REVISION:PATH of git, PROJECT@VERSION, or -'

const read = async (name: string, reading: Reading) => {
  const source = await readSource(name, reading)
  const document = parseDocument(source.text, { source: source.name })
  assertParsed(document)
  return { source, document }
}

export default command({
  summary: 'Write the overlay that turns one document into another',
  description:
    'Compares two documents and writes an overlay (1.1) of few, small actions: what got another name or place is copied first, where that is smaller, then comes what is removed, then what is updated. Applied to BASE it gives exactly the content of HEAD, which is checked before it is written. The order of keys and comments are no part of an overlay. Exit codes: 6 if a document cannot be read.',
  examples: [
    'svc overlay make openapi.yaml edited.yaml -o overlay.yaml',
    'svc overlay make main:openapi.yaml openapi.yaml --title "What we change" --format json',
  ],
  arguments: [
    { name: 'base', required: true, summary: `the document that the overlay is for: ${side}` },
    { name: 'head', required: true, summary: 'the document that it becomes, named in the same ways' },
  ],
  options: {
    ...outputOptions,
    title: {
      type: 'string',
      placeholder: 'TEXT',
      summary: 'the title of the overlay (default: the names of the two documents)',
    },
  },
  endsAtOnce: true,
  async run(invocation) {
    const { args, options, cwd, io } = invocation
    if (args.base === '-' && args.head === '-')
      throw new SvcError('usage', { reason: 'Only one document can be standard input' })
    const [base, head] = [await read(args.base, invocation), await read(args.head, invocation)]
    const info = {
      title: options.title ?? `From ${basename(base.source.name)} to ${basename(head.source.name)}`,
      version: '1.0.0',
      extends: extendsOf(base.source, options.output, cwd),
    }
    const written = writtenOverlay(base.document.value, head.document.value, info, syntaxOf(options, 'yaml'))
    const text = await writeOutput(written.text, options, cwd)
    if (text === null) io.log.info(`Wrote ${options.output}: ${plural(written.actions, 'action')}.`)
    return {
      data: { output: text === null ? options.output : null, actions: written.actions, overlay: written.value },
      text: text ?? '',
    }
  },
})
