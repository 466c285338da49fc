/** Finds schemas of a document that a registered type could replace. */
import { draftOf, refHasSiblings } from '../document/draft.ts'
import { canonicalJson } from '../kernel/canonical.ts'
import { isObject, type Json, type JsonObject, type Path } from '../kernel/json.ts'
import { formatPointer, getPath } from '../kernel/pointer.ts'
import { visitNodes } from '../document/references-in-document.ts'
import type { ValueOperation } from '../patch/json-patch.ts'
import { compareTypes, type Registry } from './compare.ts'
import { isSameType } from './same.ts'

/** A registered type that may replace a schema. */
export interface CandidateType {
  readonly ref: string
  readonly schema: Json
}

export type Relation = 'equal' | 'narrower' | 'wider'

/** A schema of the document beside a type. */
export interface Match {
  readonly path: Path
  readonly ref: string
  readonly relation: Relation
  readonly patch: readonly ValueOperation[]
}

/** What is looked at. */
export interface Sought {
  /** The document in OpenAPI 3.1, which has the same paths as the document itself wherever both have them. */
  readonly upgraded: JsonObject
  /** The document as it is written. */
  readonly own: Json
  readonly types: readonly CandidateType[]
  /** The types that the candidates refer to. */
  readonly registry: Registry
  readonly bases: readonly string[]
  readonly limit: number
}

/** How many schemas of a document are looked at, and how many pairs are compared by what they allow. */
const mostSchemas = 20_000
const mostComparisons = 300
/** A schema with fewer conditions says too little: many types would fit. */
const leastConditions = 2

const remarks: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'externalDocs',
  'xml',
  '$comment',
  '$schema',
  '$id',
])
const isRemark = (key: string): boolean => remarks.has(key) || key.startsWith('x-')

const namesOf = (schema: JsonObject): readonly string[] =>
  isObject(schema.properties) ? Object.keys(schema.properties) : []

/** How many conditions a schema has beside its type. */
function conditionsOf(schema: JsonObject): number {
  const keys = Object.keys(schema).filter((key) => !isRemark(key) && key !== 'type' && key !== 'required')
  const listed = Array.isArray(schema.enum) ? (schema.enum as readonly Json[]).length : 0
  return keys.length + Math.max(0, namesOf(schema).length - 1) + Math.max(0, listed - 1)
}

/** The same text for schemas that differ in remarks only. */
function signatureOf(schema: Json, isName = false): Json {
  if (Array.isArray(schema)) return (schema as readonly Json[]).map((it) => signatureOf(it))
  if (!isObject(schema)) return schema
  const kept = Object.entries(schema).filter(([key]) => isName || !isRemark(key))
  return Object.fromEntries(
    kept.map(([key, it]) => [key, isInstance(key, isName) ? it : signatureOf(it, !isName && isNameMap(key))]),
  )
}

const isInstance = (key: string, isName: boolean): boolean => !isName && (key === 'enum' || key === 'const')
const isNameMap = (key: string): boolean =>
  ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'].includes(key)

/** What schemas that may be equal have in common. */
const shapeOf = (schema: JsonObject): string =>
  JSON.stringify([schema.type ?? null, namesOf(schema).toSorted(), Array.isArray(schema.enum)])

interface Found {
  readonly path: Path
  readonly schema: JsonObject
  /** As the document writes it. */
  readonly own: JsonObject
}

// Swagger and JSON Schema keep their schemas elsewhere; of a schema itself only its parts are meant.
function ownPath(own: Json, path: Path): Path | null {
  const [section, kind, name = '', ...rest] = path
  if (!isObject(own) || typeof own.openapi === 'string') return path
  if (section !== 'components' || kind !== 'schemas') return typeof own.swagger === 'string' ? path : null
  const home = ['definitions', '$defs'].find((it) => getPath(own, [it, name]) !== undefined)
  if (home !== undefined) return [home, name, ...rest]
  return typeof own.swagger === 'string' || rest.length === 0 ? null : rest
}

function schemasOf({ upgraded, own }: Sought): readonly Found[] {
  const found: Found[] = []
  visitNodes(upgraded, (schema, path, _, role) => {
    if (role !== 'schema' || found.length >= mostSchemas || typeof schema.$ref === 'string') return
    const at = ownPath(own, [...path])
    const written = at === null ? undefined : getPath(own, at)
    if (at !== null && conditionsOf(schema) >= leastConditions && written !== undefined && isObject(written))
      found.push({ path: at, schema, own: written })
  })
  // Those with a name first, then those that say most.
  const rank = ({ path }: Found): number => (path.length <= 3 ? 0 : 1)
  return found.toSorted((a, b) => rank(a) - rank(b) || conditionsOf(b.schema) - conditionsOf(a.schema))
}

/** The schema with what its references within the document mean, as one that is complete by itself. */
const standalone = (schema: JsonObject, { upgraded }: Sought): JsonObject =>
  JSON.stringify(schema).includes('"#/') ? { ...schema, components: upgraded.components ?? {} } : schema

/** The types whose values may contain those of a schema, or the other way round. */
class Types {
  readonly #bySignature = new Map<string, CandidateType>()
  readonly #byShape = new Map<string, CandidateType[]>()
  readonly #byName = new Map<string, CandidateType[]>()
  readonly #listed: CandidateType[] = []

  constructor(types: readonly CandidateType[]) {
    for (const type of types) {
      const { schema } = type
      if (!isObject(schema) || conditionsOf(schema) < leastConditions) continue
      const signature = canonicalJson(signatureOf(schema))
      if (!this.#bySignature.has(signature)) this.#bySignature.set(signature, type)
      add(this.#byShape, shapeOf(schema), type)
      for (const name of namesOf(schema)) add(this.#byName, name, type)
      if (Array.isArray(schema.enum)) this.#listed.push(type)
    }
  }

  same(schema: JsonObject): CandidateType | undefined {
    return this.#bySignature.get(canonicalJson(signatureOf(schema)))
  }

  alike(schema: JsonObject): readonly CandidateType[] {
    return this.#byShape.get(shapeOf(schema)) ?? []
  }

  /** Those that share most of their properties, or all values of an enumeration. */
  near(schema: JsonObject): readonly CandidateType[] {
    const values = Array.isArray(schema.enum) ? (schema.enum as readonly Json[]) : []
    if (values.length > 1)
      return this.#listed.filter(({ schema: type }) => {
        const allowed = new Set((type as { readonly enum: readonly Json[] }).enum)
        return values.every((it) => allowed.has(it))
      })
    const shared = new Map<CandidateType, number>()
    for (const name of namesOf(schema))
      for (const type of this.#byName.get(name) ?? []) shared.set(type, (shared.get(type) ?? 0) + 1)
    return [...shared]
      .filter(([{ schema: type }, n]) => n >= 2 && n >= 0.6 * namesOf(type as JsonObject).length)
      .toSorted((a, b) => b[1] - a[1])
      .map(([type]) => type)
  }
}

const add = <K, V>(map: Map<K, V[]>, key: K, value: V): void => {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}

/** How the values of a schema and of a type relate; null where neither contains the other. */
function relate(schema: JsonObject, type: Json, { registry, bases }: Sought): Relation | null {
  const [before, after] = [
    { schema: type, registry },
    { schema, registry },
  ]
  const wider = compareTypes(before, after, bases, 'backward')
  const narrower = compareTypes(before, after, bases, 'forward')
  const isSafe = (it: ReturnType<typeof compareTypes>): boolean => it === null || it.verdict === 'safe'
  if (isSafe(wider)) return isSafe(narrower) ? 'equal' : 'wider'
  return isSafe(narrower) ? 'narrower' : null
}

/** Whether keywords beside `$ref` count where the document puts it. */
function allowsSiblings(own: Json): boolean {
  if (!isObject(own) || typeof own.swagger === 'string') return false
  if (typeof own.openapi === 'string') return !own.openapi.startsWith('3.0')
  return refHasSiblings(draftOf(own.$schema, '2020-12'))
}

function patchFor({ path, own }: Found, ref: string, relation: Relation, document: Json): readonly ValueOperation[] {
  const pointer = formatPointer(path)
  const siblings = allowsSiblings(document)
  if (relation === 'narrower') {
    if (siblings) return [{ op: 'add', path: `${pointer}/$ref`, value: ref }]
    if (Array.isArray(own.allOf)) return [{ op: 'add', path: `${pointer}/allOf/-`, value: { $ref: ref } }]
    return [{ op: 'add', path: `${pointer}/allOf`, value: [{ $ref: ref }] }]
  }
  const kept = Object.fromEntries(
    Object.entries(own).filter(([key]) => isRemark(key) && key !== '$id' && key !== '$schema'),
  )
  const bare = Object.keys(kept).length === 0
  const value: Json = siblings || bare ? { $ref: ref, ...kept } : { ...kept, allOf: [{ $ref: ref }] }
  return [{ op: 'replace', path: pointer, value }]
}

/**
 * The schemas of a document that are equal to a registered type, contained in it, or contain it. Inside of a schema that a type
 * replaces no other is searched.
 */
export function findMatches(sought: Sought): {
  readonly matches: readonly Match[]
  readonly schemas: number
  readonly isCut: boolean
} {
  const { types, own, bases, limit } = sought
  const index = new Types(types)
  const schemas = schemasOf(sought)
  const matches: Match[] = []
  const taken = new Set<string>()
  let comparisons = 0
  let isCut = false
  const isTaken = (path: Path): boolean => path.some((_, at) => taken.has(formatPointer(path.slice(0, at + 1))))
  for (const found of schemas) {
    if (isTaken(found.path)) continue
    const schema = standalone(found.schema, sought)
    let match: { readonly ref: string; readonly relation: Relation } | null = null
    const same =
      index.same(found.schema) ?? index.alike(found.schema).find((it) => isSameType(schema, it.schema, bases))
    if (same !== undefined) match = { ref: same.ref, relation: 'equal' }
    else
      for (const type of index.near(found.schema)) {
        if (++comparisons > mostComparisons) break
        const relation = relate(schema, type.schema, sought)
        if (relation !== null) match = { ref: type.ref, relation }
        if (match !== null) break
      }
    if (comparisons > mostComparisons) isCut = true
    if (match === null) continue
    if (matches.length === limit) return { matches, schemas: schemas.length, isCut: true }
    taken.add(formatPointer(found.path))
    matches.push({ ...match, path: found.path, patch: patchFor(found, match.ref, match.relation, own) })
  }
  return { matches, schemas: schemas.length, isCut: isCut || schemas.length >= mostSchemas }
}
