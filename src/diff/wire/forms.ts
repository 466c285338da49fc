import { allTypes, typeBit, typeOf } from '../../schema/node.ts'
import type { TypeName } from '../../schema/node.ts'
import type { PlacedValue, Side } from '../side.ts'
import { viewOf } from '../view.ts'

/** How a value becomes text: by style and explode, or as a media type. */
export interface Spelling {
  readonly style: string
  readonly explode: boolean
  /** The media type that describes the value instead of a style; null where there is none. */
  readonly media: string | null
}

/** How items are separated in a text: by a character, or by repeating the name. */
export type Separator = ',' | ' ' | '|' | '\t' | '.' | 'repeat' | 'none'

const delimited: Readonly<Record<string, Separator>> = {
  simple: ',',
  form: ',',
  cookie: ',',
  label: ',',
  matrix: ',',
  spaceDelimited: ' ',
  pipeDelimited: '|',
  tabDelimited: '\t',
}

/** How the items of an array are separated (OpenAPI 3.1, section 4.8.12.4; RFC 6570, section 3.2). */
export const separatorOf = ({ style, explode, media }: Spelling): Separator => {
  if (media !== null || style === 'deepObject') return 'none'
  if (style === 'simple') return ','
  if (style === 'label') return explode ? '.' : ','
  return explode ? 'repeat' : (delimited[style] ?? 'none')
}

const isJson = (media: string): boolean => /[/+]json$/.test(media)

const scalarForm = ({ style, media }: Spelling, type: TypeName): string => {
  if (media === 'text/plain') return 'text'
  if (media !== null) return isJson(media) && type !== 'string' ? 'text' : isJson(media) ? 'json' : media
  if (style === 'label' || style === 'matrix') return style
  // Style `cookie` writes values as they are, the others escape them.
  return style === 'cookie' && type === 'string' ? 'cookie' : 'text'
}

const arrayForm = (spelling: Spelling): string => {
  const { style, media } = spelling
  if (media !== null) return isJson(media) ? 'json' : media
  const separator = separatorOf(spelling)
  if (style === 'label' || style === 'matrix' || style === 'deepObject') return `${style} ${separator}`
  if (style === 'cookie') return `cookie ${separator}`
  return separator
}

const objectForm = (spelling: Spelling): string => {
  const { style, explode, media } = spelling
  if (media !== null) return isJson(media) ? 'json' : media
  if (style === 'deepObject') return 'brackets'
  if (style === 'simple' || style === 'label' || style === 'matrix') return `${style} ${explode ? 'members' : 'pairs'}`
  if (explode) return style === 'cookie' ? 'cookie members' : 'members'
  return `${style === 'cookie' ? 'cookie ' : ''}${delimited[style] ?? style} pairs`
}

const markOf = ({ style, media }: Spelling): string =>
  media === null && (style === 'label' || style === 'matrix') ? style : ''

const formOf = (spelling: Spelling, type: TypeName): string =>
  type === 'array' ? arrayForm(spelling) : type === 'object' ? objectForm(spelling) : scalarForm(spelling, type)

/** The types that a value may have; every type without a schema. */
export const typesOf = (side: Side, schema: PlacedValue | null, depth = 0): number => {
  if (schema === null || depth > 8) return allTypes
  const { mask, words, unions } = viewOf(side, [schema])
  const listed = words.get('enum')?.value
  const values = words.has('const') ? [words.get('const')!.value] : Array.isArray(listed) ? listed : null
  const choices = unions.map(({ branches }) => branches.reduce((types, it) => types | typesOf(side, it, depth + 1), 0))
  const single = values === null ? allTypes : values.reduce((types, it) => types | typeBit[typeOf(it)], 0)
  return choices.reduce((types, it) => types & it, mask & single)
}

/** Whether arrays of a schema have at most one item, so that no separator is ever written. */
const isSingle = (side: Side, schema: PlacedValue | null): boolean => {
  const limit = schema === null ? undefined : viewOf(side, [schema]).words.get('maxItems')?.value
  return typeof limit === 'number' && limit <= 1
}

/**
 * The first type that both schemas allow and that the two sides write as different texts; null where all texts are the same. An array
 * with at most one item is written as the item.
 */
export const differingType = (
  base: { readonly side: Side; readonly schema: PlacedValue | null; readonly spelling: Spelling },
  head: { readonly side: Side; readonly schema: PlacedValue | null; readonly spelling: Spelling },
): TypeName | null => {
  // Every text of these styles begins with a mark of its own.
  if (markOf(base.spelling) !== markOf(head.spelling)) return 'string'
  const common = typesOf(base.side, base.schema) & typesOf(head.side, head.schema)
  const single = isSingle(base.side, base.schema) || isSingle(head.side, head.schema)
  for (const type of ['array', 'object', 'string', 'number', 'boolean'] as const) {
    if ((common & typeBit[type]) === 0) continue
    const written = type === 'array' && single && base.spelling.media === null && head.spelling.media === null
    const as = written ? 'string' : type
    if (formOf(base.spelling, as) !== formOf(head.spelling, as)) return type
  }
  return null
}
