/** `svc join`. */
import { basename } from 'node:path'
import { convertDocument, isConvertible, type Target } from '../../src/convert/convert.ts'
import { serializeExactly } from '../../src/convert/text.ts'
import type { Document } from '../../src/document/document.ts'
import { SvcError } from '../../src/errors.ts'
import { isBundled } from '../../src/import/bundle/written.ts'
import { joinDescriptions, type JoinConflict, type Joined, type JoinSource } from '../../src/join/join.ts'
import { isObject, objectOf, type JsonObject } from '../../src/kernel/json.ts'
import { plural } from '../../src/kernel/plural.ts'
import { rewriteDocument } from '../../src/patch/rewrite.ts'
import { type Output, syntaxOf, writeOutput } from '../convert/output.ts'
import { readClosed } from '../convert/whole.ts'
import type { Invocation, Result } from '../declare.ts'

export type JoinInvocation = Invocation<
  { readonly files: readonly string[] },
  Output & {
    readonly prefix: readonly string[]
    readonly 'path-prefix': readonly string[]
    readonly title: string | undefined
  }
>

const mostShown = 30

/** The values of an option FILE=VALUE by the file. @throws SvcError `usage` for a file that is not joined */
function byFile(option: string, given: readonly string[], files: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    given.map((written) => {
      const at = written.lastIndexOf('=')
      const [file, value] = [written.slice(0, Math.max(at, 0)), written.slice(at + 1)]
      if (at < 1 || !files.includes(file))
        throw new SvcError('usage', { reason: `--${option} takes FILE=PREFIX with one of the files, not "${written}"` })
      return [file, value]
    }),
  )
}

/** "apis/shop.yaml" is "shop"; a second "shop" is "shop_2". */
function prefixesOf(files: readonly string[], given: ReadonlyMap<string, string>): readonly string[] {
  const taken = new Set<string>()
  return files.map((file) => {
    const named = given.get(file) ?? basename(file.replace(/[?#].*$/, '')).replace(/\.(?:json|ya?ml)$/i, '')
    const base = named.replaceAll(/[^\w.-]/g, '_') || 'api'
    let free = base
    for (let at = 2; taken.has(free); at++) free = `${base}_${at}`
    taken.add(free)
    return free
  })
}

const versionOf = ({ format }: Document): string => (format?.kind === 'openapi' ? format.version : '3.0')

/** Each as OpenAPI of the highest version among them, at least 3.0. @throws SvcError `document-invalid` for other kinds of documents */
function alike(documents: readonly Document[], names: readonly string[]): readonly Document[] {
  for (const [at, { format }] of documents.entries())
    if (format?.kind !== 'openapi' && format?.kind !== 'swagger')
      throw new SvcError('document-invalid', {
        reason: `${names[at]} has the format ${format?.kind ?? ''} ${format?.version ?? ''}; svc joins OpenAPI 3.0 to 3.2 and Swagger 2.0`,
      })
  const highest = documents.map(versionOf).toSorted().at(-1) ?? '3.0'
  return documents.map((document) => {
    const { format } = document
    if (format?.kind === 'openapi' && format.version === highest) return document
    if (!isConvertible(document)) return document
    return { ...document, value: convertDocument(document, `openapi-${highest}` as Target).value }
  })
}

/** "schema Pet: shop.yaml and users.yaml have different ones; that of users.yaml is users_Pet". */
export function conflictSentence({ subject, first, second, renamedTo }: JoinConflict): string {
  const both = `${subject}: ${first} and ${second} differ`
  return renamedTo === null ? both : `${both}; that of ${second} is ${renamedTo}`
}

function tell({ conflicts }: Joined, { io }: Pick<Invocation, 'io'>): void {
  const fatal = conflicts.filter(({ isFatal }) => isFatal)
  if (fatal.length > 0)
    throw new SvcError('join-conflict', {
      conflicts: [
        ...fatal.slice(0, mostShown).map(conflictSentence),
        ...(fatal.length > mostShown ? [`and ${fatal.length - mostShown} more`] : []),
      ],
    })
  const lost = conflicts.filter(({ renamedTo }) => renamedTo === null)
  for (const it of lost.slice(0, mostShown)) io.log.warn(`${conflictSentence(it)}; that of ${it.first} stays.`)
  const renamed = conflicts.filter(({ renamedTo }) => renamedTo !== null)
  for (const it of renamed.slice(0, mostShown)) io.log.info(`${conflictSentence(it)}.`)
  const more = Math.max(0, lost.length - mostShown) + Math.max(0, renamed.length - mostShown)
  if (more > 0) io.log.info(`… and ${more} more; --json lists all.`)
}

/** Reads, joins and writes, and says what was in conflict. */
export async function join(invocation: JoinInvocation): Promise<Result> {
  const { args, options, cwd, io } = invocation
  const { files } = args
  if (files.length < 2) throw new SvcError('usage', { reason: 'Name at least two files to join' })
  const prefixes = prefixesOf(files, byFile('prefix', options.prefix, files))
  const pathPrefixes = byFile('path-prefix', options['path-prefix'], files)
  for (const it of pathPrefixes.values())
    if (!/^\/[^{}?#]*[^{}?#/]$/.test(it))
      throw new SvcError('usage', { reason: `"${it}" is no prefix of paths: write it as /shop` })
  const documents: Document[] = []
  for (const file of files) documents.push(await readClosed(file, undefined, false, invocation))
  const sources = alike(documents, files).map(({ value }, at): JoinSource => ({
    name: files[at]!,
    value: objectOf(value),
    prefix: prefixes[at]!,
    pathPrefix: pathPrefixes.get(files[at]!) ?? '',
  }))
  const [first, ...others] = sources
  const joined = joinDescriptions([first!, ...others])
  tell(joined, invocation)
  const value = titled(joined.value, options.title)
  const syntax = syntaxOf(options, documents[0]!.syntax)
  const text = await writeOutput(textOf(documents[0]!, value, syntax), options, cwd)
  const { conflicts, shared } = joined
  if (text === null)
    io.log.info(
      `Wrote ${options.output} from ${plural(files.length, 'description')}; ${plural(shared.length, 'component')} shared, ${plural(conflicts.length, 'conflict')}.`,
    )
  return {
    data: {
      files,
      syntax,
      output: text === null ? options.output : null,
      conflicts: conflicts.map(({ kind, subject, first: one, second, renamedTo }) => ({
        kind,
        subject,
        first: one,
        second,
        renamedTo,
      })),
      shared,
      ...(text === null ? {} : { document: value }),
    },
    text: text ?? '',
  }
}

const titled = (value: JsonObject, title: string | undefined): JsonObject =>
  title === undefined ? value : { ...value, info: { ...objectOf(value.info), title } }

/** The text of the first document with what the others add, where it keeps its syntax and is one file. */
function textOf(document: Document, value: JsonObject, syntax: 'json' | 'yaml'): string {
  const isOneFile = !isBundled(document) && isObject(document.value)
  return isOneFile && syntax === document.syntax
    ? rewriteDocument(document, value).text
    : serializeExactly(value, syntax)
}
