/** What a document consists of, in numbers. */
import { findCycles } from '../kernel/cycles.ts'
import type { Document, Format } from '../document/document.ts'
import { isObject, type Json, type JsonObject } from '../kernel/json.ts'
import { formatPointer, getPath, parseFragment } from '../kernel/pointer.ts'
import { findReferences, findUnresolved } from '../document/reference.ts'
import { visitNodes } from '../document/references-in-document.ts'
import { bareKeywords } from '../import/formats/json-schema.ts'
import { type ApiStats, countApi, type Share } from './api.ts'
import { findUnused } from '../document/unused-definitions.ts'

export interface Stats {
  readonly format: Format | null
  readonly characters: number
  /** Levels of arrays and objects. */
  readonly depth: number
  readonly references: {
    readonly total: number
    /** Distinct texts of references. */
    readonly distinct: number
    readonly unresolved: number
    /** The longest way from schema to schema, where schemas of a cycle count once. */
    readonly longest: number
  }
  readonly schemas: {
    /** Schemas with a name: components or definitions. */
    readonly named: number
    /** Every schema, nested ones included. */
    readonly total: number
    readonly described: Share
    readonly propertiesDescribed: Share
  }
  /** Components by their section. */
  readonly components: Readonly<Record<string, number>>
  /** Pointers of components that nothing uses. */
  readonly unused: readonly string[]
  readonly externalDocs: number
  /** Names of extensions, with how often each occurs. */
  readonly extensions: Readonly<Record<string, number>>
  /** Null where the document is not an API. */
  readonly api: ApiStats | null
  /** Null where the document has no workflows. */
  readonly workflows: { readonly workflows: number; readonly steps: number } | null
}

const sections = ['definitions', '$defs', 'parameters', 'responses', 'securityDefinitions'] as const

const componentsOf = (root: JsonObject): Record<string, number> => {
  const holder = isObject(root.components)
    ? root.components
    : Object.fromEntries(sections.flatMap((key) => (isObject(root[key]) ? [[key, root[key]]] : [])))
  return Object.fromEntries(
    Object.entries(holder).flatMap(([key, map]): [string, number][] =>
      isObject(map) && !key.startsWith('x-') ? [[key, Object.keys(map).length]] : [],
    ),
  )
}

const namedSchemas = (root: JsonObject): readonly [pointer: string, schema: Json][] =>
  [['components', 'schemas'], ['definitions'], ['$defs']].flatMap((path) => {
    const map = getPath(root, path)
    return isObject(map)
      ? Object.entries(map).map(([name, it]): [string, Json] => [formatPointer([...path, name]), it])
      : []
  })

const depthOf = (value: Json): number =>
  typeof value === 'object' && value !== null
    ? 1 + Object.values<Json>(value).reduce<number>((most, it) => Math.max(most, depthOf(it)), 0)
    : 0

/** The longest way along references between named schemas, in schemas; cycles count as one. */
function longestWay(named: readonly [string, Json][]): number {
  const names = new Set(named.map(([pointer]) => pointer))
  const edges = new Map(
    named.map(([pointer, schema]) => {
      const targets = findReferences(schema).flatMap(({ ref }) => {
        const path = ref.startsWith('#') ? parseFragment(ref) : null
        const steps = path === null ? [] : [formatPointer(path.slice(0, 2)), formatPointer(path.slice(0, 3))]
        return steps.filter((it) => names.has(it))
      })
      return [pointer, new Set(targets)] as const
    }),
  )
  const { order, cycleOf } = findCycles(edges)
  const lengths = new Map<number, number>()
  for (const key of order) {
    const own = cycleOf.get(key) ?? 0
    const beyond = [...(edges.get(key) ?? [])].filter((it) => cycleOf.get(it) !== own)
    const most = Math.max(0, ...beyond.map((it) => lengths.get(cycleOf.get(it) ?? 0) ?? 0))
    lengths.set(own, Math.max(lengths.get(own) ?? 0, most + 1))
  }
  return [...lengths.values()].reduce((most, it) => Math.max(most, it), 0)
}

/** What is counted on one walk through all places that have keywords. */
interface Walked {
  schemas: number
  properties: number
  describedProperties: number
  externalDocs: number
  readonly extensions: Map<string, number>
}

function walk(root: Json, isSchema: boolean): Walked {
  const found: Walked = { schemas: 0, properties: 0, describedProperties: 0, externalDocs: 0, extensions: new Map() }
  visitNodes(
    root,
    (node, _path, _at, role) => {
      for (const key of Object.keys(node))
        if (key.startsWith('x-')) found.extensions.set(key, (found.extensions.get(key) ?? 0) + 1)
      if (isObject(node.externalDocs)) found.externalDocs++
      if (role !== 'schema') return
      if (typeof node.$ref !== 'string') found.schemas++
      for (const property of isObject(node.properties) ? Object.values(node.properties) : []) {
        found.properties++
        if (isObject(property) && (typeof property.$ref === 'string' || typeof property.description === 'string'))
          found.describedProperties++
      }
    },
    isSchema ? { schema: true } : {},
  )
  return found
}

const hasDescription = ([, schema]: readonly [string, Json]): boolean =>
  isObject(schema) && typeof schema.description === 'string' && schema.description.trim() !== ''

// What only holds definitions is a library: others use them.
const isLibrary = (root: JsonObject, format: Format | null, api: ApiStats | null): boolean =>
  api === null
    ? format?.kind === 'json-schema' && Object.keys(root).every((key) => bareKeywords.has(key))
    : api.operations + api.webhooks === 0

const workflowsOf = (root: JsonObject): Stats['workflows'] => {
  const list = Array.isArray(root.workflows) ? (root.workflows as readonly Json[]) : []
  const steps = list.map((it) => (isObject(it) && Array.isArray(it.steps) ? it.steps.length : 0))
  return { workflows: list.length, steps: steps.reduce((sum, it) => sum + it, 0) }
}

/** Counts what a document has; of a document of several files, what all of them have together. */
export function countDocument(document: Document): Stats {
  const { format, text, value } = document
  const root = isObject(value) ? value : {}
  const named = namedSchemas(root)
  const references = findReferences(value)
  const walked = walk(value, format?.kind === 'json-schema')
  const api = format?.kind === 'openapi' || format?.kind === 'swagger' ? countApi(root) : null
  return {
    format,
    characters: text.length,
    depth: depthOf(value),
    references: {
      total: references.length,
      distinct: new Set(references.map(({ ref }) => ref)).size,
      unresolved: findUnresolved(document).length,
      longest: longestWay(named),
    },
    schemas: {
      named: named.length,
      total: walked.schemas,
      described: { count: named.filter(hasDescription).length, of: named.length },
      propertiesDescribed: { count: walked.describedProperties, of: walked.properties },
    },
    components: componentsOf(root),
    unused: isLibrary(root, format, api) ? [] : [...findUnused(value)].toSorted(),
    externalDocs: walked.externalDocs,
    extensions: Object.fromEntries([...walked.extensions].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    api,
    workflows: format?.kind === 'arazzo' ? workflowsOf(root) : null,
  }
}
