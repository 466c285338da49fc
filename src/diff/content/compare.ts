import { isObject } from '../../kernel/json.ts'
import type { MediaType } from '../model/api.ts'
import type { Context } from '../context.ts'
import { isDocsWord } from '../docs-words.ts'
import type { Use } from '../schema/use.ts'
import type { PlacedValue, Side } from '../side.ts'
import { compareEncoding, type CompareMedia, textsIn } from './encoding.ts'

type Content = ReadonlyMap<string, MediaType>

const every = '*/*'

/** The range such as `application/*` that covers a media type beside the range of all of them. */
const rangeOf = (name: string): string => `${name.slice(0, name.indexOf('/') + 1)}*`

/** The range of a body that covers a media type, the first in their order; undefined where none does. Looked up: bodies may list many. */
const rangeIn = (content: Content, name: string): string | undefined =>
  [every, ...(name.includes('/') ? [rangeOf(name)] : [])].toSorted().find((it) => content.has(it))

const withoutCharset = (name: string): string => name.replace(/;charset=[^;]*/, '')

const partner = (content: Content, name: string): MediaType | null => {
  const exact = content.get(name) ?? content.get(withoutCharset(name))
  if (exact) return exact
  const range = rangeIn(content, name)
  return range === undefined ? null : content.get(range)!
}

/** Media types whose bodies are bytes to a schema. */
const isOpaque = (name: string): boolean => !/json|xml|yaml|x-www-form-urlencoded|^multipart\/|^text\/|\*/.test(name)

const rawWords = new Set(['type', 'format', 'contentMediaType', 'contentEncoding'])

/** Whether a schema says no more than that there are bytes: nothing, or a binary string (OpenAPI 3.1, section 4.8.14.2). */
const isRaw = (side: Side, place: PlacedValue | null): boolean => {
  const value = place && side.follow(place).value
  if (!isObject(value)) return value === null || value === true
  return (
    Object.keys(value).every((key) => rawWords.has(key) || isDocsWord(key)) &&
    (value.type === undefined || value.type === 'string' || value.type === 'file') &&
    (value.format === undefined || value.format === 'binary') &&
    value.contentEncoding === undefined
  )
}

/** Whether a body may be XML; a range of types may hold it. */
const isXml = (name: string): boolean => /[/+]xml$/.test(name.split(';')[0]!) || name.endsWith('/*')

interface Described {
  readonly word: 'schema' | 'itemSchema'
  readonly schema: PlacedValue
}

/** What describes a body: its schema, and the schema of each of its items where it is a sequence; null without either. */
const describedBy = ({ schema, itemSchema }: MediaType): readonly Described[] | null => {
  const all: Described[] = []
  if (schema) all.push({ word: 'schema', schema })
  if (itemSchema) all.push({ word: 'itemSchema', schema: itemSchema })
  return all.length === 0 ? null : all
}

/** The schema of the whole body. A sequence is an array of its items (OpenAPI 3.2, section 4.14.2). */
const wholeOf = (described: readonly Described[] | null, { place }: MediaType): PlacedValue => {
  if (described === null) return { value: true, path: place.path }
  const parts = described.map(({ word, schema }): PlacedValue =>
    word === 'schema' ? schema : { value: { type: 'array', items: schema.value }, path: schema.path },
  )
  return parts.length === 1 ? parts[0]! : { value: { allOf: parts.map((it) => it.value) }, path: place.path }
}

/** A body that has a schema on one side only: without one it can hold anything. */
const compareDescribed: CompareMedia = (context, operation, a, b, use, name) => {
  const base = wholeOf(describedBy(a), a)
  const head = wholeOf(describedBy(b), b)
  const judged = context.schemas.schemas.judge([base], [head], use)
  context.note(operation, {
    direction: use.direction,
    area: 'media-type',
    kind: 'schema',
    action: describedBy(b) ? 'added' : 'removed',
    base,
    head,
    subject: `the ${use.direction} body as ${name}`,
    before: describedBy(a) ? base.value : null,
    after: describedBy(b) ? head.value : null,
    breaking: judged.verdict === 'breaking',
    undecided: judged.verdict === 'unknown',
    witness: judged.witness,
    ...(judged.reason === null ? {} : { reason: judged.reason }),
  })
}

/** How a body of a media type is written: as XML, as a text, or as a form whose parts are texts. */
const wireUse = (context: Context, a: MediaType, b: MediaType, use: Use, name: string): Use => {
  if (isXml(name)) return { ...use, xml: true }
  if (name.split(';')[0] === 'text/plain') return { ...use, textual: true, inBody: true }
  const parts = textsIn(context, a, b, name)
  return parts ? { ...use, parts } : use
}

/** Compares one media type on both sides: its schema, its encoding, its examples. */
export const compareMediaType: CompareMedia = (context, operation, a, b, use, name) => {
  context.docs(operation, a.place, b.place)
  if (isOpaque(name) && isRaw(context.base, a.schema) && isRaw(context.head, b.schema)) return
  const written = wireUse(context, a, b, use, name)
  const [left, right] = [describedBy(a), describedBy(b)]
  if (left && right)
    for (const [one, other] of left.length === right.length && left.every((it, i) => it.word === right[i]!.word)
      ? left.map((it, i) => [it.schema, right[i]!.schema] as const)
      : [[wholeOf(left, a), wholeOf(right, b)] as const])
      context.collector.take(context.schemas.compare([one], [other], written), operation)
  else if (left || right) compareDescribed(context, operation, a, b, written, name)
  compareEncoding(context, operation, a, b, use, name)
}

/** The media types of a body by what they are looked up by. */
class Types {
  readonly names: readonly string[]
  readonly #byRange: ReadonlyMap<string, readonly string[]>

  constructor(content: Content) {
    this.names = [...content.keys()].toSorted()
    this.#byRange = Map.groupBy(this.names, rangeOf)
  }

  /** Those that a range covers, in order; none for what is no range. */
  within(range: string): readonly string[] {
    if (range === every) return this.names
    return range.endsWith('/*') ? (this.#byRange.get(range) ?? []) : []
  }
}

/** Names of types that are built on others are short: what is before so many signs is the name of a type itself. */
const mostSigns = 8

/** What the types that came are built on: `json` for `application/problem+json`. */
function syntaxesOfNew(base: Content, head: Content): ReadonlySet<string> {
  const found = new Set<string>()
  for (const name of head.keys()) {
    if (base.has(name)) continue
    const parts = name.split('+').slice(1)
    for (let from = Math.max(0, parts.length - mostSigns); from < parts.length; from++)
      found.add(parts.slice(from).join('+'))
  }
  return found
}

/** Compares what a body may be, type by type. */
export const compareContent = (context: Context, operation: string, base: Content, head: Content, use: Use): void => {
  const owner = [...base.values()][0]?.place ?? [...head.values()][0]?.place ?? null
  const [old, fresh] = [new Types(base), new Types(head)]
  const syntaxes = syntaxesOfNew(base, head)
  for (const name of old.names) {
    const a = base.get(name)!
    const b = partner(head, name)
    const within = b ? [] : fresh.within(name)
    if (b) compareMediaType(context, operation, a, b, use, name)
    else if (within.length > 0) {
      for (const it of within) compareMediaType(context, operation, a, head.get(it)!, use, it)
      context.note(operation, {
        direction: use.direction,
        area: 'media-type',
        kind: 'itself',
        action: 'narrowed',
        base: a.place,
        head: head.get(within[0]!)!.place,
        subject: name,
        before: name,
        after: within,
        breaking: use.fromClient,
        ...(use.fromClient ? { reason: 'a client that sends another type of the range is refused' } : {}),
      })
    } else {
      context.note(operation, {
        direction: use.direction,
        area: 'media-type',
        kind: 'itself',
        action: 'removed',
        base: a.place,
        head: null,
        subject: name,
        before: name,
        breaking: true,
        reason: use.fromClient
          ? 'a client that sends this type is refused'
          : 'a client that reads this type gets another',
        // A special type of the same syntax came in its place: `application/problem+json` for `application/json`.
        ...(!use.fromClient && syntaxes.has(name.slice(name.indexOf('/') + 1))
          ? { policy: 'response-media-type-renamed' as const }
          : {}),
      })
    }
  }
  for (const name of fresh.names) {
    if (base.has(name) || base.has(withoutCharset(name))) continue
    const b = head.get(name)!
    const range = rangeIn(base, name)
    // What a range became was compared above; beside a range that stays, a type of it is reported for the first time.
    if (range !== undefined && !head.has(range)) continue
    if (range !== undefined) compareMediaType(context, operation, base.get(range)!, b, use, name)
    const wider = !use.fromClient && old.within(name).length > 0
    context.note(operation, {
      direction: use.direction,
      area: 'media-type',
      kind: 'itself',
      action: wider ? 'widened' : 'added',
      base: owner === b.place ? null : owner,
      head: b.place,
      subject: name,
      after: name,
      breaking: wider,
      ...(wider ? { reason: 'answers may now come in types that were not announced' } : {}),
    })
  }
}
