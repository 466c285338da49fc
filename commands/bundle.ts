import { dereference, type Dereferenced, TooLarge } from '../src/convert/dereference.ts'
import { serializeExactly, writeChanged } from '../src/convert/text.ts'
import type { Document } from '../src/document/document.ts'
import { SvcError } from '../src/errors.ts'
import { isBundled } from '../src/import/bundle/written.ts'
import { plural } from '../src/kernel/plural.ts'
import { type Output, outputOptions, syntaxOf, writeOutput } from '../cli/convert/output.ts'
import { baseOption, documentArgument, readClosed } from '../cli/convert/whole.ts'
import { command, type Invocation, type Result } from '../cli/declare.ts'

type BundleInvocation = Invocation<
  { readonly file: string },
  Output & { readonly dereference: boolean; readonly base: string | undefined; readonly 'allow-external': boolean }
>

const mostNamed = 20

const listed = (names: readonly string[]): string =>
  names.length <= mostNamed
    ? names.join(', ')
    : `${names.slice(0, mostNamed).join(', ')} and ${names.length - mostNamed} more`

function flatten(document: Document, { io }: BundleInvocation): Dereferenced {
  try {
    const made = dereference(document)
    if (made.cycles.length > 0) io.log.warn(`Kept references of cycles, to ${listed(made.cycles)}.`)
    if (made.identified.length > 0)
      io.log.warn(`Kept references to schemas with identifiers of their own: ${listed(made.identified)}.`)
    if (made.discriminated.length > 0)
      io.log.warn(`Kept references that a discriminator selects by name: ${listed(made.discriminated)}.`)
    return made
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error
    throw new SvcError('document-invalid', { reason: `${error.message}; bundle it without --dereference` })
  }
}

/** Reads, joins, dereferences where that is asked for, and writes. */
async function bundle(invocation: BundleInvocation): Promise<Result> {
  const { args, options, cwd, io } = invocation
  const document = await readClosed(args.file, options.base, options['allow-external'], invocation)
  const [entry = document, ...others] = isBundled(document) ? document.files : []
  const syntax = syntaxOf(options, document.syntax)
  const flat = options.dereference ? flatten(document, invocation) : null
  const value = flat === null ? document.value : flat.value
  const made =
    flat === null ? writeChanged(entry, value, syntax, document.exactValue()).text : serializeExactly(value, syntax)
  const text = await writeOutput(made, options, cwd)
  if (text === null) io.log.info(`Wrote ${options.output} from ${plural(others.length + 1, 'file')}.`)
  return {
    data: {
      format: document.format,
      syntax,
      files: [entry, ...others].map(({ source }) => source),
      output: text === null ? options.output : null,
      cycles: flat?.cycles ?? [],
      identified: flat?.identified ?? [],
      discriminated: flat?.discriminated ?? [],
      ...(text === null ? {} : { document: value }),
    },
    text: text ?? '',
  }
}

export default command({
  summary: 'Make one document of several files',
  description:
    'Writes a document and everything that its references lead to as one document: OpenAPI, Swagger, Arazzo and JSON Schema, of the version of the author. What other files hold becomes a component named after its place; path items are written where they are referred to. Comments, order and layout of the first file are kept where the result has the same syntax. References are followed wherever authors write them: in the place of operations, texts and lists, in extensions and examples too. One that cannot be included is an error with its line and column, and nothing is written; --allow-external keeps it. Exit codes: 6 if a document or reference cannot be read.',
  examples: [
    'svc bundle openapi.yaml -o dist/openapi.yaml',
    'svc bundle openapi.yaml --format json',
    'svc bundle openapi.yaml --dereference -o flat.json',
    'svc bundle https://example.com/apis/openapi.yaml',
    'cat openapi.yaml | svc bundle - --base apis/',
  ],
  arguments: [documentArgument],
  options: {
    ...outputOptions,
    dereference: {
      type: 'boolean',
      summary: 'also replace every reference by its target; references of a cycle stay, and are named',
    },
    'allow-external': {
      type: 'boolean',
      summary: 'keep references to what cannot be read, with a warning, instead of failing',
    },
    base: baseOption,
  },
  endsAtOnce: true,
  run: (invocation) => bundle(invocation),
})
