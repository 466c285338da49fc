/** `svc convert`. */
import { convertDocument, isConvertible, type Converted, type Target } from '../../src/convert/convert.ts'
import { isLoss } from '../../src/convert/losses.ts'
import { serializeExactly, writeChanged } from '../../src/convert/text.ts'
import type { Document } from '../../src/document/document.ts'
import type { Json } from '../../src/kernel/json.ts'
import { formatPointer } from '../../src/kernel/pointer.ts'
import { validateStructure } from '../../src/document/validate/structure.ts'
import { SvcError } from '../../src/errors.ts'
import { isBundled } from '../../src/import/bundle/written.ts'
import { isOverlaid, shownPlace } from '../../src/overlay/trace.ts'
import { plural } from '../../src/kernel/plural.ts'
import type { Invocation, Result } from '../declare.ts'
import { type Output, syntaxOf, writeOutput } from './output.ts'
import { readComplete } from './whole.ts'

type ConvertInvocation = Invocation<
  { readonly file: string },
  Output & { readonly to: Target; readonly 'fail-on-loss': boolean; readonly base: string | undefined }
>

/** One note for programs. */
interface Noted {
  readonly code: string
  readonly loss: boolean
  readonly message: string
  readonly file: string
  readonly line: number
  readonly column: number
  readonly pointer: string
}

function notesOf(document: Document, { notes }: Converted): Noted[] {
  return notes.map(({ code, message, path, range }) => {
    const origin = isBundled(document) ? document.originOf(path) : { source: document.source, document, path }
    const shown = isOverlaid(origin.document)
      ? shownPlace(origin.document, origin.path, range)
      : { overlay: null, range }
    return {
      code,
      loss: isLoss(code),
      message,
      file: shown.overlay ?? origin.source,
      line: shown.range.start.line + 1,
      column: shown.range.start.character + 1,
      pointer: formatPointer(path),
    }
  })
}

// A large document repeats itself: the first places of a code show what it is about.
const shownOfACode = 3

/** The notes for people: the first places of each code, and how many more there are. */
function linesOf(notes: readonly Noted[], unlisted: ReadonlyMap<string, number>): string[] {
  const byCode = new Map<string, Noted[]>()
  for (const note of notes) byCode.set(note.code, [...(byCode.get(note.code) ?? []), note])
  return [...byCode].flatMap(([code, all]) => {
    const lines = all
      .slice(0, shownOfACode)
      .map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message} (${code})`)
    const rest = all.length - lines.length + (unlisted.get(code) ?? 0)
    return rest === 0 ? lines : [...lines, `The same at ${plural(rest, 'more location')}. (${code})`]
  })
}

function assertConvertible(document: Document, name: string): void {
  if (isConvertible(document)) return
  const { kind = '', version = '' } = document.format ?? {}
  throw new SvcError('document-invalid', {
    reason: `${name === '-' ? 'standard input' : name} has the format ${kind} ${version}; svc converts OpenAPI 3.0 to 3.2, Swagger 2.0 and JSON Schema`,
  })
}

// The envelope has numbers as JavaScript reads them.
const withDoubles = (value: Json): Json => JSON.parse(serializeExactly(value, 'json')) as Json

/** Reads, joins, converts and writes, and says what was lost. */
export async function convert(invocation: ConvertInvocation): Promise<Result> {
  const { args, options, cwd, io } = invocation
  const document = await readComplete(args.file, options.base, invocation)
  assertConvertible(document, args.file)
  const broken = validateStructure(document).filter(({ severity }) => severity === 'error').length
  if (broken > 0)
    io.log.warn(
      `The document has ${plural(broken, 'error')} in its structure, which the result can have too; "svc lint" shows them.`,
    )
  const converted = convertDocument(document, options.to)
  const notes = notesOf(document, converted)
  for (const line of linesOf(notes, converted.unlisted)) io.log.warn(line)
  const unlisted = [...converted.unlisted]
  const losses = unlisted
    .filter(([code]) => isLoss(code))
    .reduce((sum, [, count]) => sum + count, notes.filter(({ loss }) => loss).length)
  const isRefused = options['fail-on-loss'] && losses > 0
  const syntax = syntaxOf(options, document.syntax)
  const [entry = document] = isBundled(document) ? document.files : []
  const made = writeChanged(entry, converted.value, syntax).text
  const text = isRefused ? '' : await writeOutput(made, options, cwd)
  if (isRefused) io.log.error(`${plural(losses, 'loss', 'losses')}: nothing was written, because of --fail-on-loss.`)
  else if (text === null)
    io.log.info(`Wrote ${options.output}: ${losses === 0 ? 'nothing is lost' : plural(losses, 'loss', 'losses')}.`)
  return {
    exitCode: isRefused ? 4 : 0,
    summary: { from: document.format, to: options.to, losses, notes: notes.length },
    data: {
      notes,
      unlisted: Object.fromEntries(unlisted),
      syntax,
      output: text === null ? options.output : null,
      ...(text === null || isRefused ? {} : { document: withDoubles(converted.value) }),
    },
    text: text ?? '',
  }
}
