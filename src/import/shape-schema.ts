import type { Document } from '../document/document.ts'
import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { formatFragment, formatPointer } from '../kernel/pointer.ts'
import { findReferences, resolveReference } from '../document/reference.ts'
import { serializeJson } from '../document/serialize.ts'
import { stemOf } from './tree-path.ts'

/** What becomes of a JSON Schema: one class of the whole, a class of its root alone, or a class of each of its properties. */
export type SchemaShape = 'schema' | 'property' | 'properties'

/** A JSON Schema in the shape that was asked for. */
export interface ShapedSchema {
  readonly text: string
  /** Where the node at a path of the shaped text is in the schema that it was made of. */
  readonly pathOf: (path: Path) => Path
}

interface Move {
  /** A class: its name and its position in the schema. */
  readonly from: Path
  readonly name: string
}

const startsWith = (path: Path, prefix: Path): boolean => prefix.every((step, index) => step === path[index])

const definitionsOf = (content: JsonObject): Move[] =>
  ['$defs', 'definitions'].flatMap((word) =>
    isObject(content[word]) ? Object.keys(content[word]).map((name) => ({ from: [word, name], name })) : [],
  )

const rootMove = (content: JsonObject, name: string): Move => {
  const title = typeof content.title === 'string' ? content.title.trim() : ''
  return { from: [], name: name || title || 'Root' }
}

// Names are unique: of two the later one gets a number.
const unique = (moves: readonly Move[]): Move[] => {
  const taken = new Set<string>()
  return moves.map(({ from, name }) => {
    let free = name
    for (let count = 2; taken.has(free); count++) free = `${name}_${count}`
    taken.add(free)
    return { from, name: free }
  })
}

const at = (value: Json, path: Path): Json =>
  path.reduce<Json>((node, step) => (node as { readonly [key: string]: Json })[step] ?? null, value)

const replaceAt = (value: Json, path: Path, leaf: Json): Json => {
  const [step, ...rest] = path
  if (step === undefined) return leaf
  if (Array.isArray(value))
    return (value as readonly Json[]).map((item, index) => (index === step ? replaceAt(item, rest, leaf) : item))
  return isObject(value) ? { ...value, [step]: replaceAt(value[step] ?? null, rest, leaf) } : value
}

function movesFor(shape: SchemaShape, content: JsonObject, name: string, document: Document): Move[] {
  const definitions = definitionsOf(content)
  if (shape === 'property') return unique([rootMove(content, name || stemOf(document.source)), ...definitions])
  const properties = isObject(content.properties) ? Object.keys(content.properties) : []
  const moves = [...properties.map((key) => ({ from: ['properties', key], name: key })), ...definitions]
  // What refers to the whole needs the whole.
  const needsRoot = findReferences(content).some(({ ref, base }) => {
    const target = resolveReference(document, { ref, base })
    return (
      typeof target === 'object' &&
      target.document === document &&
      !moves.some(({ from }) => startsWith(target.path, from))
    )
  })
  return unique(needsRoot ? [...moves, rootMove(content, name || stemOf(document.source))] : moves)
}

/**
 * Brings a JSON Schema into the shape that an import asks for, as a schema of definitions alone. References follow what they name.
 *
 * @param name of the class, where the schema's own title is not to count
 * @returns null where the schema stays as it is: a "schema" without another name or description, or a "properties" without any
 */
export const shapeSchema = (
  document: Document,
  entry: { readonly shape: SchemaShape; readonly name?: string | undefined; readonly description?: string | undefined },
): ShapedSchema | null => {
  const content = document.value
  if (!isObject(content) || document.format?.kind !== 'json-schema') return null
  const { shape, name = '', description } = entry
  const said = description === undefined ? {} : { description }
  if (shape === 'schema') {
    if (name === '' && description === undefined) return null
    const text = serializeJson({ ...content, ...(name === '' ? {} : { title: name }), ...said })
    return { text, pathOf: (path) => path }
  }
  const moves = movesFor(shape, content, name, document)
  if (moves.length === 0) return null
  const place = (path: Path): Path => {
    const owner = moves.filter(({ from }) => startsWith(path, from)).sort((a, b) => b.from.length - a.from.length)[0]
    return owner === undefined ? path : ['$defs', owner.name, ...path.slice(owner.from.length)]
  }
  let moved: Json = content
  for (const { path, ref, base } of findReferences(content)) {
    const target = resolveReference(document, { ref, base })
    if (typeof target !== 'object' || target.document !== document) continue
    moved = replaceAt(moved, [...path, '$ref'], formatFragment(place(target.path)))
  }
  const bare = new Set(['$defs', 'definitions', '$id', 'id', '$schema'])
  const classes = moves.map(({ from, name: key }): [string, Json] => {
    const schema = at(moved, from)
    if (from.length > 0 || !isObject(schema)) return [key, schema]
    const root = Object.fromEntries(Object.entries(schema).filter(([word]) => !bare.has(word)))
    return [key, { ...root, ...(shape === 'property' ? said : {}) }]
  })
  const { $schema } = content
  const head = {
    ...(typeof $schema === 'string' ? { $schema } : {}),
    title: name || (typeof content.title === 'string' ? content.title : stemOf(document.source)),
    ...(description === undefined && typeof content.description === 'string'
      ? { description: content.description }
      : said),
  }
  const origins = new Map(moves.map(({ from, name: key }) => [formatPointer(['$defs', key]), from]))
  return {
    text: serializeJson({ ...head, $defs: Object.fromEntries(classes) }),
    pathOf: (path) => {
      const from = origins.get(formatPointer(path.slice(0, 2)))
      if (from === undefined) return path.length <= 2 && path[0] === '$defs' ? [] : path
      return [...from, ...path.slice(2)]
    },
  }
}
