import { isObject } from '../../kernel/json.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import { allTypes, typeBit } from '../../schema/node.ts'
import type { Context } from '../context.ts'
import type { MediaType } from '../model/api.ts'
import { readMediaType } from '../model/media-type.ts'
import { headersOf } from '../model/openapi.ts'
import { isSameValue } from '../sameness.ts'
import type { Separators, Use } from '../schema/use.ts'
import { objectAt } from '../side.ts'
import type { PlacedValue, Side } from '../side.ts'
import { viewOf } from '../view.ts'
import { differingType, separatorOf, typesOf } from '../wire/forms.ts'
import type { Separator } from '../wire/forms.ts'
import { schemaOf, spellingOf, textOf } from '../wire/described.ts'

/** One part of a form or of a multipart body: what its schema and its encoding say together. */
interface Part {
  readonly side: Side
  readonly schema: PlacedValue
  readonly place: PlacedValue | null
  readonly raw: JsonObject
  readonly kind: Kind
}

/** What the fields of an encoding mean in a media type. */
interface Kind {
  readonly multipart: boolean
  /** Whether `style`, `explode` and `allowReserved` count. */
  readonly styled: boolean
}

const styleWords = ['style', 'explode', 'allowReserved'] as const

/** Forms have styles; `multipart/form-data` has them since OpenAPI 3.1, other bodies of parts never (Encoding Object, `style`). */
const kindOf = (context: Context, essence: string): Kind | null => {
  if (essence === 'application/x-www-form-urlencoded') return { multipart: false, styled: true }
  if (!essence.startsWith('multipart/')) return null
  const old = context.base.dialect === 'openapi-3.0' && context.head.dialect === 'openapi-3.0'
  return { multipart: true, styled: essence === 'multipart/form-data' && !old }
}

/** Whether a part is written by style: where one is given, and in forms, which write values as queries do. */
const isStyled = ({ raw, kind }: Part): boolean =>
  kind.styled &&
  (styleWords.some((word) => raw[word] !== undefined) || (!kind.multipart && raw.contentType === undefined))

/** The media type of a part by the type of its schema (Encoding Object, `contentType`). */
const defaultType = (side: Side, schema: PlacedValue, depth = 0): string => {
  const { mask, words, items, typePlace } = viewOf(side, [schema])
  if (typePlace === null || depth > 8) return 'application/octet-stream'
  if (objectAt(side.follow(schema)).type === 'file') return 'application/octet-stream'
  if ((mask & typeBit.object) !== 0) return 'application/json'
  if ((mask & typeBit.array) !== 0)
    return items[0] ? defaultType(side, items[0], depth + 1) : 'application/octet-stream'
  const binary = words.get('format')?.value === 'binary' || words.has('contentEncoding')
  return (mask & typeBit.string) !== 0 && binary ? 'application/octet-stream' : 'text/plain'
}

const contentTypesOf = (part: Part): readonly string[] => {
  const { contentType } = part.raw
  const names = typeof contentType === 'string' ? contentType.split(',') : [defaultType(part.side, part.schema)]
  return names.map((name) => {
    const { essence, parameters } = readMediaType(name)
    return [essence, ...parameters].join(';')
  })
}

/** Whether every type that the writer may choose is one that the reader knows. */
const isUnderstood = (writer: readonly string[], reader: readonly string[]): boolean => {
  const known = new Set(reader)
  return (
    known.has('*/*') || writer.every((name) => known.has(name) || known.has(`${name.slice(0, name.indexOf('/') + 1)}*`))
  )
}

const spelling = ({ raw }: Part) => {
  const style = typeof raw.style === 'string' ? raw.style : 'form'
  return { style, explode: typeof raw.explode === 'boolean' ? raw.explode : style === 'form', media: null }
}

/** Why the parts are written in another way; null where they are not, undefined where nothing changed at all. */
const differenceOf = (a: Part, b: Part, use: Use): string | null | undefined => {
  const styled = [isStyled(a), isStyled(b)]
  if (styled[0] && styled[1]) {
    const type = differingType(
      { side: a.side, schema: a.schema, spelling: spelling(a) },
      { side: b.side, schema: b.schema, spelling: spelling(b) },
    )
    if (type !== null) return `${type}s are written as another text`
    const [before, after] = [a.raw.allowReserved === true, b.raw.allowReserved === true]
    if (before === after) return isSameValue(spelling(a), spelling(b)) ? undefined : null
    return after === !use.fromClient ? 'reserved characters are escaped in another way' : null
  }
  const [before, after] = [contentTypesOf(a), contentTypesOf(b)]
  if (styled[0] !== styled[1])
    return isSameText(a, b, before, after) ? undefined : 'the parts are written in another way'
  if (isSameValue([...before].sort(), [...after].sort())) return undefined
  const [writer, reader] = use.fromClient ? [before, after] : [after, before]
  return isUnderstood(writer, reader) ? null : 'parts of some content types are no longer understood'
}

/** Whether a part by style and one by content type are one text: single values, and a list as several parts of one name. */
const isSameText = (a: Part, b: Part, before: readonly string[], after: readonly string[]): boolean => {
  const [one, types] = isStyled(a) ? [a, after] : [b, before]
  const mask = [a, b].reduce((all, it) => all & typesOf(it.side, it.schema), allTypes)
  const { style, explode } = spelling(one)
  if ((mask & typeBit.object) !== 0 || !types.every((it) => it === 'text/plain')) return false
  return (mask & typeBit.array) === 0 || (one.kind.multipart && explode && style !== 'deepObject')
}

/** How the items of a part are separated where it is a text; null where it is not one. */
const separatorIn = (part: Part): Separator | null => {
  if (isStyled(part)) return separatorOf(spelling(part))
  if (!contentTypesOf(part).every((it) => it === 'text/plain')) return null
  // A list is several parts of one name.
  return part.kind.multipart ? 'repeat' : 'none'
}

/** The parts of a form or multipart body that are texts on both sides; undefined without one. */
export const textsIn = (context: Context, a: MediaType, b: MediaType, name: string): Use['parts'] => {
  const kind = kindOf(context, name.split(';')[0]!)
  if (!kind) return undefined
  const [left, right] = [namedParts(context.base, a, kind), namedParts(context.head, b, kind)]
  const found = new Map<string, Separators>()
  for (const [key, one] of left) {
    const other = right.get(key)
    const [base, head] = [separatorIn(one), other ? separatorIn(other) : null]
    if (base !== null && head !== null) found.set(key, { base, head })
  }
  return found.size > 0 ? found : undefined
}

/** Compares something of one media type, `name`, that bodies of an operation have on both sides. */
export type CompareMedia = (
  context: Context,
  operation: string,
  a: MediaType,
  b: MediaType,
  use: Use,
  name: string,
) => void

/** Compares the encoding of forms and multipart bodies, part by part; other media types have none. */
export const compareEncoding: CompareMedia = (context, operation, a, b, use, name) => {
  const kind = kindOf(context, name.split(';')[0]!)
  if (!kind) return
  const [left, right] = [namedParts(context.base, a, kind), namedParts(context.head, b, kind)]
  for (const [key, one] of left) {
    const other = right.get(key)
    if (other) comparePart(context, operation, one, other, use, `part \`${key}\` of ${name}`, [a, b])
  }
  const positions = Math.max(lengthOf(a), lengthOf(b))
  for (let i = 0; kind.multipart && i < positions; i++) {
    const [one, other] = [partAt(context.base, a, i, kind), partAt(context.head, b, i, kind)]
    if (one && other) comparePart(context, operation, one, other, use, `part ${i + 1} of ${name}`, [a, b])
  }
}

/** The parts that are properties of the schema. An encoding without a property is ignored. */
const namedParts = (side: Side, media: MediaType, kind: Kind): ReadonlyMap<string, Part> => {
  if (media.schema === null) return new Map()
  const encodings = media.encoding && isObject(media.encoding.value) ? media.encoding.value : {}
  return new Map(
    [...viewOf(side, [media.schema]).properties].map(([key, [schema]]) => {
      const raw = Object.hasOwn(encodings, key) ? encodings[key] : undefined
      const place = raw === undefined ? null : { value: raw, path: [...media.encoding!.path, key] }
      return [key, { side, schema: schema!, place, raw: isObject(raw) ? raw : {}, kind }]
    }),
  )
}

const prefixOf = ({ prefixEncoding }: MediaType): readonly Json[] =>
  Array.isArray(prefixEncoding?.value) ? prefixEncoding.value : []

/** How many positions have to be looked at: those with an encoding of their own, and one after them. */
const lengthOf = (media: MediaType): number => {
  const own = prefixOf(media).length
  return own > 0 || media.itemEncoding !== null ? own + 1 : 0
}

const partAt = (side: Side, media: MediaType, position: number, kind: Kind): Part | null => {
  const { schema: whole, itemSchema, prefixEncoding, itemEncoding } = media
  const prefix = prefixOf(media)
  const words = whole === null ? null : viewOf(side, [whole])
  const listed = words?.words.get('prefixItems')
  const own = listed && Array.isArray(listed.value) ? (listed.value as readonly Json[])[position] : undefined
  const schema =
    own !== undefined
      ? { value: own, path: [...listed!.path, position] }
      : (itemSchema ?? words?.items[0] ?? { value: true, path: media.place.path })
  const raw = prefix[position] ?? itemEncoding?.value
  const place =
    prefix[position] === undefined
      ? itemEncoding
      : { value: prefix[position], path: [...prefixEncoding!.path, position] }
  return { side, schema, place, raw: isObject(raw) ? raw : {}, kind }
}

const comparePart = (
  context: Context,
  operation: string,
  a: Part,
  b: Part,
  use: Use,
  subject: string,
  owners: readonly [MediaType, MediaType],
): void => {
  const reason = differenceOf(a, b, use)
  const spelled = (part: Part): Json =>
    Object.fromEntries(
      ['contentType', ...styleWords].flatMap((it) => (part.raw[it] === undefined ? [] : [[it, part.raw[it]]])),
    )
  // Where nothing is written, the type of the schema says what the content is.
  const isMeant = isSameValue(spelled(a), spelled(b))
  const meant = (part: Part): Json =>
    isMeant
      ? isStyled(part)
        ? { ...spelling(part) }
        : { contentType: contentTypesOf(part).join(', ') }
      : spelled(part)
  const places = { base: a.place ?? owners[0].place, head: b.place ?? owners[1].place }
  const common = {
    direction: use.direction,
    area: 'media-type',
    kind: 'encoding',
    action: 'changed',
    ...places,
  } as const
  if (reason !== undefined && !(reason === null && isSameValue(spelled(a), spelled(b))))
    context.note(operation, {
      ...common,
      subject: `encoding of ${subject}`,
      before: meant(a),
      after: meant(b),
      breaking: reason !== null,
      ...(reason === null ? {} : { reason }),
    })
  if (a.kind.multipart) compareHeaders(context, operation, a, b, use, subject, common)
}

/** Compares the headers of a part, which only multipart bodies have. */
const compareHeaders = (
  context: Context,
  operation: string,
  a: Part,
  b: Part,
  use: Use,
  subject: string,
  common: {
    readonly direction: Use['direction']
    readonly area: 'media-type'
    readonly kind: 'encoding'
    readonly action: 'changed'
    readonly base: PlacedValue
    readonly head: PlacedValue
  },
): void => {
  const read = ({ side, place }: Part) => headersOf(side, place && side.member(place, 'headers'))
  const [before, after] = [read(a), read(b)]
  for (const name of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const [one, other] = [before.get(name), after.get(name)]
    const note = (breaking: boolean, reason: string): void =>
      context.note(operation, {
        ...common,
        base: one?.place ?? common.base,
        head: other?.place ?? common.head,
        subject: `header \`${(one ?? other)!.name}\` of ${subject}`,
        before: one?.place.value ?? null,
        after: other?.place.value ?? null,
        breaking,
        ...(breaking ? { reason } : {}),
      })
    if (!one || !other) {
      if (other) note(use.fromClient && other.required, 'parts without the header were valid')
      else if (use.fromClient) note(true, 'the service no longer reads the header')
      else note(one!.required, 'the header is no longer sent')
      continue
    }
    if (one.required !== other.required)
      note(
        other.required === use.fromClient,
        other.required ? 'parts without the header were valid' : 'the header can be missing',
      )
    const type = differingType(
      { side: context.base, schema: schemaOf(one), spelling: spellingOf(one) },
      { side: context.head, schema: schemaOf(other), spelling: spellingOf(other) },
    )
    if (type !== null) note(true, `${type}s are written as another text`)
    const [left, right] = [schemaOf(one), schemaOf(other)]
    if (left && right)
      context.collector.take(
        context.schemas.compare([left], [right], { ...use, ...textOf(one, other), textual: true }),
        operation,
      )
  }
}
