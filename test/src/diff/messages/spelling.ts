/** How values become texts and texts become values again, by style or media type: written from RFC 6570 and OpenAPI, shares nothing with the engine. */
import { isObject } from '../../../../src/kernel/json.ts'
import type { Json } from '../../../../src/kernel/json.ts'

/** A style of a parameter, or the media type that is used instead. `explode` means nothing for a media type. */
export interface Spelling {
  readonly style: string
  readonly explode: boolean
  readonly media: string | null
}

/** What travels: names with texts. A text in a path or header has the name of its parameter. */
export type Texts = readonly (readonly [name: string, text: string])[]

const joints: Readonly<Record<string, string>> = {
  spaceDelimited: ' ',
  pipeDelimited: '|',
  tabDelimited: '\t',
}

const isScalar = (value: Json): boolean => typeof value !== 'object'

/** Whether a value has a text: null, nothing at all and what is nested have none that all agree on. */
const hasText = (value: Json): boolean => {
  if (value === null) return false
  const inner = typeof value === 'object' ? Object.values(value as Record<string, Json>) : [value]
  return inner.length > 0 && inner.every((it) => isScalar(it) && !/[,;.=|&\s[\]"]/.test(String(it)) && it !== '')
}

const entriesOf = (value: Json): readonly (readonly [string, string])[] =>
  Object.entries(value as Record<string, Json>).map(([key, it]) => [key, String(it)])

const writeMarked = (mark: '.' | ';', name: string, value: Json, explode: boolean): string => {
  const own = mark === ';' ? `;${name}=` : '.'
  if (isScalar(value)) return own + String(value)
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).map(String)
    return explode ? items.map((it) => own + it).join('') : own + items.join(',')
  }
  return explode
    ? entriesOf(value)
        .map(([key, it]) => `${mark}${key}=${it}`)
        .join('')
    : own + entriesOf(value).flat().join(',')
}

/** The texts of a value; null where it has none that all agree on. */
export const write = (name: string, value: Json, { style, explode, media }: Spelling): Texts | null => {
  if (media !== null) {
    if (media === 'application/json') return [[name, JSON.stringify(value)]]
    return isScalar(value) ? [[name, String(value)]] : null
  }
  if (!hasText(value)) return null
  if (style === 'label' || style === 'matrix')
    return [[name, writeMarked(style === 'label' ? '.' : ';', name, value, explode)]]
  if (isScalar(value)) return style === 'deepObject' ? null : [[name, String(value)]]
  if (style === 'simple') {
    if (Array.isArray(value)) return [[name, value.join(',')]]
    return [
      [
        name,
        entriesOf(value)
          .map((it) => it.join(explode ? '=' : ','))
          .join(','),
      ],
    ]
  }
  if (Array.isArray(value)) {
    if (style === 'deepObject') return null
    return explode
      ? (value as readonly Json[]).map((it) => [name, String(it)])
      : [[name, value.join(joints[style] ?? ',')]]
  }
  if (style === 'deepObject') return entriesOf(value).map(([key, it]) => [`${name}[${key}]`, it])
  return explode
    ? entriesOf(value)
    : [
        [
          name,
          entriesOf(value)
            .flat()
            .join(joints[style] ?? ','),
        ],
      ]
}

/** What a text can be: itself, a number, a boolean. */
const scalarsOf = (text: string): readonly Json[] => {
  const found: Json[] = [text]
  if (/^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/.test(text)) found.push(Number(text))
  if (text === 'true' || text === 'false') found.push(text === 'true')
  return found
}

const most = 400

/** Every list with one of each choice, as many as are tried. */
export const combinations = <T>(choices: readonly (readonly T[])[]): readonly (readonly T[])[] =>
  choices.reduce<readonly (readonly T[])[]>(
    (lists, own) => lists.flatMap((list) => own.map((it) => [...list, it])).slice(0, most),
    [[]],
  )

/** A member with `=` is none of a list: values here have no such character. */
const listsOf = (items: readonly string[]): readonly Json[] =>
  items.some((it) => it.includes('=')) ? [] : combinations(items.map(scalarsOf)).map((it): Json => [...it])

const objectsOf = (members: Texts): readonly Json[] =>
  combinations(members.map(([, text]) => scalarsOf(text))).map((values) =>
    Object.fromEntries(values.map((it, i): [string, Json] => [members[i]![0], it])),
  )

const pairsOf = (items: readonly string[]): Texts | null =>
  items.length % 2 === 1
    ? null
    : Array.from({ length: items.length / 2 }, (_, i) => [items[2 * i]!, items[2 * i + 1]!] as const)

const membersOf = (items: readonly string[]): Texts | null =>
  items.every((it) => it.includes('='))
    ? items.map((it) => [it.slice(0, it.indexOf('=')), it.slice(it.indexOf('=') + 1)] as const)
    : null

/** Readings of one text whose parts are `items`, pairs of names and values, or members with `=`. */
const readParts = (items: readonly string[], members: Texts | null): readonly Json[] => [
  ...listsOf(items),
  ...(members ? objectsOf(members) : []),
]

const readMarked = (text: string, mark: string, name: string, explode: boolean): readonly Json[] => {
  const begin = mark === ';' ? `;${name}=` : '.'
  const whole = text.startsWith(begin) ? text.slice(begin.length) : null
  const found = whole === null ? [] : [...scalarsOf(whole)]
  if (!explode) {
    const items = whole?.split(',') ?? []
    return whole === null ? found : [...found, ...readParts(items, pairsOf(items))]
  }
  if (!text.startsWith(mark)) return found
  const parts = text.slice(1).split(mark)
  const members = membersOf(parts)
  if (mark === '.') return [...found, ...readParts(parts, members)]
  const isList = members?.every(([key]) => key === name) ?? false
  return [...found, ...(isList ? listsOf(members!.map(([, it]) => it)) : members ? objectsOf(members) : [])]
}

/**
 * Everything that texts can be read as.
 *
 * @param names the properties that an object in texts of their own may have; null where all texts are of one value
 */
export const read = (
  name: string,
  texts: Texts,
  { style, explode, media }: Spelling,
  names: ReadonlySet<string> | null,
): readonly Json[] => {
  const own = texts.flatMap(([key, text]) => (key === name ? [text] : []))
  const [text] = own
  if (media !== null) {
    if (own.length !== 1) return []
    if (media !== 'application/json') return scalarsOf(text!)
    try {
      return [JSON.parse(text!) as Json]
    } catch {
      return []
    }
  }
  if (style === 'label' || style === 'matrix')
    return text === undefined ? [] : readMarked(text, style === 'label' ? '.' : ';', name, explode)
  if (style === 'simple') {
    if (text === undefined) return []
    const items = text.split(',')
    return [...scalarsOf(text), ...readParts(items, explode ? membersOf(items) : pairsOf(items))]
  }
  if (style === 'deepObject') {
    const members = texts.flatMap(([key, it]) =>
      key.startsWith(`${name}[`) ? [[key.slice(name.length + 1, -1), it] as const] : [],
    )
    return members.length > 0 ? objectsOf(members) : []
  }
  const members = texts.filter(([key]) => (names === null ? key !== name : names.has(key)))
  const spread = explode && members.length > 0 ? objectsOf(members) : []
  if (text === undefined) return spread
  if (explode) return [...(own.length === 1 ? scalarsOf(text) : []), ...listsOf(own), ...spread]
  if (own.length > 1) return []
  const items = text.split(joints[style] ?? ',')
  return [...scalarsOf(text), ...readParts(items, pairsOf(items))]
}

/** The names of properties that a schema lists anywhere at its own level. */
export const namesIn = (schema: Json | undefined, resolve: (ref: string) => Json, depth = 0): ReadonlySet<string> => {
  const names = new Set<string>()
  if (!isObject(schema) || depth > 8) return names
  if (typeof schema.$ref === 'string') for (const it of namesIn(resolve(schema.$ref), resolve, depth + 1)) names.add(it)
  if (isObject(schema.properties)) for (const it of Object.keys(schema.properties)) names.add(it)
  const inner = [
    ...(['allOf', 'anyOf', 'oneOf'] as const).flatMap((word) => (schema[word] as readonly Json[] | undefined) ?? []),
    schema.then,
    schema.else,
    ...Object.values((schema.dependentSchemas as Record<string, Json> | undefined) ?? {}),
  ]
  for (const it of inner) for (const name of namesIn(it, resolve, depth + 1)) names.add(name)
  return names
}
