import { count } from '../../parts/text.ts'
import { entriesAt, isNode, limitWords, listAt, type Node, typeWords } from '../../parts/openapi-document.ts'

/** One line of a schema shown as a tree. */
export interface Branch {
  /** Unique among the branches of one schema. */
  readonly name: string
  /** What the line is called: "amount", "each item", "one of: 2". */
  readonly label: string
  /** Whether the label is the name of a property. */
  readonly isProperty: boolean
  readonly required: boolean
  readonly schema: unknown
  /** Where the schema is written, a JSON Pointer (RFC 6901). */
  readonly pointer: string
}

const escape = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')
const unescape = (key: string): string => key.replaceAll('~1', '/').replaceAll('~0', '~')
const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The value at a pointer; undefined where there is none. */
export const valueAt = (root: unknown, pointer: string): unknown =>
  pointer === ''
    ? root
    : pointer
        .slice(1)
        .split('/')
        .map(unescape)
        .reduce<unknown>((node, key) => {
          if (Array.isArray(node)) return node[Number(key)]
          return isNode(node) && Object.hasOwn(node, key) ? node[key] : undefined
        }, root)

/** A `$ref` of a schema that stays in its document, as a pointer; null for any other. Anchors are not followed. */
const localTarget = (schema: unknown): string | null => {
  const ref = isNode(schema) ? schema['$ref'] : undefined
  if (typeof ref !== 'string') return null
  if (ref === '#') return ''
  return ref.startsWith('#/') ? decode(ref.slice(1)) : null
}

/** How many references after each other are followed. */
const mostHops = 20

/** Where a schema is written, with the places that its references within the document lead to, in this order. */
const layersOf = (root: unknown, schema: unknown, pointer: string): { node: Node; pointer: string }[] => {
  const layers: { node: Node; pointer: string }[] = []
  let at: unknown = schema
  let place = pointer
  for (let hops = 0; isNode(at) && hops < mostHops && !layers.some((it) => it.node === at); hops++) {
    layers.push({ node: at, pointer: place })
    const target = localTarget(at)
    if (target === null) break
    place = target
    at = valueAt(root, target)
  }
  return layers
}

const schemaKeys: readonly (readonly [key: string, label: string])[] = [
  ['additionalItems', 'each further item'],
  ['contains', 'at least one item'],
  ['additionalProperties', 'any other property'],
  ['unevaluatedProperties', 'any property not named elsewhere'],
  ['unevaluatedItems', 'any item not named elsewhere'],
  ['propertyNames', 'names of properties'],
  ['not', 'must not be'],
  ['if', 'if'],
  ['then', 'then'],
  ['else', 'else'],
]
const choiceKeys: readonly (readonly [key: string, label: string])[] = [
  ['allOf', 'all of'],
  ['oneOf', 'one of'],
  ['anyOf', 'any of'],
]
const mapKeys: readonly (readonly [key: string, label: (name: string) => string])[] = [
  ['patternProperties', (name) => `properties that match ${name}`],
  ['dependentSchemas', (name) => `if ${name} is present`],
  ['dependencies', (name) => `if ${name} is present`],
]

const isSchema = (value: unknown): boolean => isNode(value) || typeof value === 'boolean'

const itemsOf = (node: Node, line: (path: string, label: string, schema: unknown) => Branch): Branch[] => {
  const { items } = node
  // Older drafts write the schemas of single places into `items`.
  const numbered = ['prefixItems', 'items'].flatMap((key) =>
    listAt(node, key).map((it, at) => line(`/${key}/${at}`, `item ${at + 1}`, it)),
  )
  const each = isNode(items) ? [line('/items', numbered.length > 0 ? 'each further item' : 'each item', items)] : []
  return [...numbered, ...each]
}

const branchesOfNode = (node: Node, pointer: string): Branch[] => {
  const required = new Set(listAt(node, 'required'))
  const line = (path: string, label: string, schema: unknown): Branch => ({
    name: path,
    label,
    isProperty: false,
    required: false,
    schema,
    pointer: pointer + path,
  })
  const properties = entriesAt(node, 'properties').map(([name, schema]) => ({
    ...line(`/properties/${escape(name)}`, name, schema),
    isProperty: true,
    required: required.has(name),
  }))
  const maps = mapKeys.flatMap(([key, label]) =>
    entriesAt(node, key)
      .filter(([, schema]) => isSchema(schema))
      .map(([name, schema]) => line(`/${key}/${escape(name)}`, label(name), schema)),
  )
  const choices = choiceKeys.flatMap(([key, label]) =>
    listAt(node, key).map((schema, at) => line(`/${key}/${at}`, `${label}: ${at + 1}`, schema)),
  )
  const single = schemaKeys.flatMap(([key, label]) => (isNode(node[key]) ? [line(`/${key}`, label, node[key])] : []))
  return [...properties, ...itemsOf(node, line), ...maps, ...choices, ...single]
}

/** What is one level below a schema, its references within the document followed. */
export const branchesOf = (root: unknown, schema: unknown, pointer: string): Branch[] => {
  const found = new Map<string, Branch>()
  for (const layer of layersOf(root, schema, pointer))
    for (const branch of branchesOfNode(layer.node, layer.pointer))
      if (!found.has(branch.name)) found.set(branch.name, branch)
  return [...found.values()]
}

/** The definitions of a schema, which its references within the document name. */
export const definitionsOf = (root: unknown): Branch[] =>
  ['$defs', 'definitions'].flatMap((key) =>
    entriesAt(root, key).map(([name, schema]) => ({
      name: `/${key}/${escape(name)}`,
      label: name,
      isProperty: true,
      required: false,
      schema,
      pointer: `/${key}/${escape(name)}`,
    })),
  )

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** What a schema requires beyond its type and limits, as short phrases. */
const moreWords = (node: Node): string[] => {
  const words: string[] = []
  if (node['uniqueItems'] === true) words.push('unique items')
  if (node['additionalProperties'] === false) words.push('no other properties')
  if (node['unevaluatedProperties'] === false) words.push('no properties that are not named')
  const { minProperties, maxProperties } = node
  if (typeof minProperties === 'number') words.push(`at least ${count(minProperties, 'property', 'properties')}`)
  if (typeof maxProperties === 'number') words.push(`at most ${count(maxProperties, 'property', 'properties')}`)
  for (const [name, others] of entriesAt(node, 'dependentRequired'))
    if (Array.isArray(others)) words.push(`with ${name} also ${others.map(written).join(', ')}`)
  if (node['readOnly'] === true) words.push('read-only')
  if (node['writeOnly'] === true) words.push('write-only')
  if (typeof node['contentMediaType'] === 'string') words.push(`holds ${node['contentMediaType']}`)
  if (typeof node['contentEncoding'] === 'string') words.push(`encoded as ${node['contentEncoding']}`)
  return words
}

/** What a line says of a schema: its type, its limits, the values it allows and whether it is deprecated. */
export interface Said {
  readonly type: string
  readonly limits: readonly string[]
  readonly values: readonly unknown[]
  readonly description: string | null
  readonly deprecated: boolean
}

export const summaryOf = (root: unknown, schema: unknown): Said => {
  const layers = layersOf(root, schema, '').map(({ node }) => node)
  const description = layers.map((it) => it['description']).find((it) => typeof it === 'string')
  return {
    type: typeWords(schema),
    limits: layers.flatMap((it) => [...limitWords(it), ...moreWords(it)]),
    values: layers.flatMap((it) => listAt(it, 'enum')),
    description: typeof description === 'string' && description.trim() !== '' ? description : null,
    deprecated: layers.some((it) => it['deprecated'] === true),
  }
}

/** The values that a schema gives as examples. */
export const examplesOf = (schema: unknown): unknown[] =>
  isNode(schema) ? [...listAt(schema, 'examples'), ...('example' in schema ? [schema['example']] : [])] : []

/** The keys of the branches to open so that at most `most` lines are shown, the nearest ones first. */
export const openedAll = (root: unknown, most: number): Set<string> => {
  const open = new Set<string>()
  let shown = 0
  let level = branchesOf(root, root, '').map((branch) => ({ key: branch.name, branch }))
  while (level.length > 0) {
    shown += level.length
    const next: typeof level = []
    for (const { key, branch } of level) {
      const below = branchesOf(root, branch.schema, branch.pointer)
      if (below.length === 0 || shown + next.length + below.length > most) continue
      open.add(key)
      next.push(...below.map((it) => ({ key: `${key} ${it.name}`, branch: it })))
    }
    level = next
  }
  return open
}
