/** Documents with everything that they refer to, as one: what `svc bundle`, `svc convert` and `svc export` begin with. */
import type { Document } from '../../src/document/document.ts'
import { familySentence } from '../../src/document/family.ts'
import { findOutsideNames } from '../../src/document/outside-names.ts'
import { findUnresolved } from '../../src/document/reference.ts'
import { findLooseReferences } from '../../src/document/references-in-document.ts'
import { SvcError } from '../../src/errors.ts'
import { isBundled } from '../../src/import/bundle/written.ts'
import { isOverlaid, shownPlace } from '../../src/overlay/trace.ts'
import { plural } from '../../src/kernel/plural.ts'
import { fileNamed } from '../project-file/api-name.ts'
import type { Invocation } from '../declare.ts'
import { readSide, readWhole } from '../input/document-side.ts'
import { readStandardInput } from '../input/document-source.ts'

type Reading = Pick<Invocation, 'io' | 'cwd' | 'env' | 'signal' | 'connection' | 'globals'>

/** The option that says where the references of standard input begin. */
export const baseOption = {
  type: 'string',
  placeholder: 'FILE|URL',
  summary: 'with standard input: the file, folder or URL to which its relative references are joined',
} as const

/** The argument that all of them take. */
export const documentArgument = {
  name: 'file',
  required: true,
  summary:
    'a file, an API of svc.yaml, a URL, a file of a git revision (main:openapi.yaml), PROJECT@VERSION, or - for standard input',
  namesApis: true,
} as const

const where = (document: Document, path: Document['problems'][number]['path']): string => {
  const origin = isBundled(document) ? document.originOf(path) : { source: document.source, document, path }
  const range = origin.document.locate(origin.path)
  const shown = isOverlaid(origin.document) ? shownPlace(origin.document, origin.path, range) : { overlay: null, range }
  const { line, character } = shown.range.start
  return `${shown.overlay ?? origin.source}:${line + 1}:${character + 1}`
}

const mostListed = 10

/** Every file that references lead to was read, so what is missing is a place in one. */
const reasonOf = (message: string): string =>
  message.replace('the document was not found', 'the target does not exist').replace(/\.$/, '')

const listed = (references: readonly string[]): string => {
  const [first = '', ...others] = new Set(references)
  const shown = others.slice(0, mostListed)
  const more = others.length - shown.length
  return [first, ...shown, ...(more > 0 ? [`and ${plural(more, 'more reference')}`] : [])].join('; ')
}

const unresolvedIn = (document: Document): string[] =>
  findUnresolved(document).map(({ message, path }) => `${where(document, path)}: ${reasonOf(message)}`)

/** The files that examples and links still name. */
const leftByName = (document: Document): string[] =>
  (document.format?.kind === 'openapi' ? findOutsideNames(document) : []).map(({ field, ref, path }) => {
    const why = field === 'externalValue' ? 'cannot be read' : 'is no operation of this description'
    return `${where(document, path)}: ${field} "${ref}" leads out of the document and ${why}`
  })

/** What a document refers to in data, where a reference may also be an example of one. */
const leftInData = (document: Document): string[] =>
  findLooseReferences(document.value)
    .filter(({ ref }) => ref !== '' && !ref.startsWith('#'))
    .map(
      ({ ref, path }) =>
        `${where(document, [...path, '$ref'])}: $ref "${ref}" leads out of the document and cannot be read`,
    )

function assertComplete(document: Document): void {
  const unresolved = unresolvedIn(document)
  if (unresolved.length > 0) throw new SvcError('document-invalid', { reason: listed(unresolved) })
}

/**
 * Reads a document and all that it refers to, as one that refers to nothing else.
 *
 * @param allowsExternal what cannot be included stays a reference, and is a warning
 * @throws SvcError as `readComplete` does; `bundle-open` for a reference that cannot be included, with its line and column
 */
export async function readClosed(
  name: string,
  base: string | undefined,
  allowsExternal: boolean,
  reading: Reading,
): Promise<Document> {
  const document = await readNamed(name, base, reading, allowsExternal ? 'leave' : 'refuse')
  if (!allowsExternal) assertComplete(document)
  const left = [...(allowsExternal ? unresolvedIn(document) : []), ...leftInData(document), ...leftByName(document)]
  if (left.length > 0 && !allowsExternal) throw new SvcError('bundle-open', { references: listed(left) })
  if (left.length > 0) reading.io.log.warn(`Kept references that cannot be included: ${listed(left)}.`)
  return document
}

const warn = (document: Document, { io }: Reading): void => {
  for (const file of isBundled(document) ? document.files : [document])
    for (const { message, severity, range } of file.problems) {
      const { line, character } = range.start
      if (severity === 'error') io.log.warn(`${file.source}:${line + 1}:${character + 1}: ${message}`)
    }
}

/**
 * Reads a document and all that it refers to, as one. What its author should know (repeated keys) is a warning.
 *
 * @param base where references of standard input begin
 * @throws SvcError as `readSide` does; `document-invalid` for a reference that cannot be resolved, with its line and column; `usage`
 *   for a base without standard input; `format-unknown`
 */
export async function readComplete(name: string, base: string | undefined, reading: Reading): Promise<Document> {
  const document = await readNamed(name, base, reading, 'refuse')
  assertComplete(document)
  return document
}

async function readNamed(
  name: string,
  base: string | undefined,
  reading: Reading,
  missing: 'refuse' | 'leave',
): Promise<Document> {
  if (base !== undefined && name !== '-')
    throw new SvcError('usage', { reason: '--base is for standard input: give "-" as the file' })
  const document =
    base === undefined
      ? await readSide(await fileNamed(name, reading.cwd), reading, missing)
      : await readWhole(await readStandardInput(reading, base), missing)
  if (document.format === null)
    throw new SvcError('format-unknown', {
      source: name === '-' ? 'standard input' : name,
      family: familySentence(document),
    })
  warn(document, reading)
  return document
}
