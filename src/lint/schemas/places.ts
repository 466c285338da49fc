/** The places of the schemas of a JSON Schema document, and their references. */
import { isObject, type Json, type JsonObject, type Path } from '../../kernel/json.ts'
import { holding } from '../../document/schema-keywords.ts'
import { schemaDraft } from '../../document/format.ts'
import { followPath, getPath, parseFragment } from '../../kernel/pointer.ts'
import type { ValidateOptions } from '../../schema/validate.ts'
import type { CheckBudget } from '../check-budget.ts'
import { outsideOf } from '../outside.ts'
import type { Violation, LintFunction } from '../rule.ts'

/** Keywords whose subschemas apply to the same value as the schema that contains them. */
const inPlace: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
])

/** JSONPaths of all schemas of a document; some may lead to data that only look like one. */
export const schemaPaths: readonly string[] = [
  '$',
  ...Object.entries(holding).flatMap(([key, kind]) => {
    const at = `$..['${key}']`
    return kind === 'one' ? [at] : kind === 'either' ? [at, `${at}[0:]`] : [`${at}[*]`]
  }),
]

/** Whether a path leads from schema to schema: not through an example, a default, or a name that is spelled like a keyword. */
export function isSchemaPlace(root: Json, path: Path): boolean {
  let at: Json | undefined = root
  for (let index = 0; index < path.length;) {
    const key = String(path[index])
    const kind = isObject(at) ? holding[key] : undefined
    if (kind === undefined || !isObject(at)) return false
    const held: Json | undefined = at[key]
    const deeper = kind === 'map' || kind === 'list' || (kind === 'either' && Array.isArray(held))
    const steps = path.slice(index, index + (deeper ? 2 : 1))
    if (deeper && steps.length < 2) return false
    at = getPath(at, steps)
    index += steps.length
  }
  return true
}

/** One schema of a document. */
export interface SchemaAt {
  readonly schema: JsonObject
  /** From the root of its document. */
  readonly path: Path
  readonly root: Json
  /** "draft-04" … "2020-12". */
  readonly draft: string
  /** How references out of the document are followed; they say nothing where it is left out. */
  readonly outside?: Pick<ValidateOptions, 'base' | 'external'>
}

/** Checks one schema; the paths in its results are relative to the schema. */
export type SchemaCheck = (at: SchemaAt, budget: CheckBudget) => readonly Violation[]

function* heldBy(schema: JsonObject): Generator<readonly [Path, Json]> {
  for (const [key, kind] of Object.entries(holding)) {
    const held = schema[key]
    if (held === undefined) continue
    if (Array.isArray(held)) {
      if (kind === 'list' || kind === 'either')
        for (const [index, it] of (held as readonly Json[]).entries()) yield [[key, index], it]
    } else if (kind === 'map') {
      if (isObject(held)) for (const name of Object.keys(held)) yield [[key, name], held[name] as Json]
    } else if (kind !== 'list') yield [[key], held]
  }
}

/** A schema and all its subschemas, the outermost first. */
export function* eachSchema(root: Json, draft: string, path: Path = [], at: Json = root): Generator<SchemaAt> {
  if (!isObject(at)) return
  yield { schema: at, path, root, draft }
  for (const [steps, it] of heldBy(at)) yield* eachSchema(root, draft, [...path, ...steps], it)
}

const anchors = new WeakMap<object, ReadonlyMap<string, JsonObject>>()

function namesOf(root: Json): ReadonlyMap<string, JsonObject> {
  if (!isObject(root)) return new Map()
  const known = anchors.get(root)
  if (known !== undefined) return known
  const names = new Map<string, JsonObject>()
  for (const { schema } of eachSchema(root, '2020-12')) {
    for (const key of ['$anchor', '$dynamicAnchor'])
      if (typeof schema[key] === 'string') names.set(`#${schema[key]}`, schema)
    for (const key of ['$id', 'id']) if (typeof schema[key] === 'string') names.set(schema[key], schema)
  }
  anchors.set(root, names)
  return names
}

/** The schema of the same document that a reference names; undefined where it names none. */
export function lookUp(root: Json, ref: string): Json | undefined {
  if (ref === '#') return root
  if (ref.startsWith('#/')) {
    const steps = parseFragment(ref.slice(1))
    return steps === null ? undefined : followPath(root, steps)?.value
  }
  return namesOf(root).get(ref)
}

/** The enclosing schemas for the same value: those that contain this one in allOf, if, oneOf and so on. */
export function* around({ root, path }: SchemaAt): Generator<JsonObject> {
  let rest = path
  for (;;) {
    const single = inPlace.has(String(rest.at(-1)))
    const listed = inPlace.has(String(rest.at(-2))) && rest.length > 1
    if (!single && !listed) return
    rest = rest.slice(0, single && !listed ? -1 : -2)
    const outer = getPath(root, rest)
    if (!isObject(outer)) return
    yield outer
  }
}

/** A function for rules whose paths are `schemaPaths`. */
export const onSchemas =
  (check: SchemaCheck): LintFunction =>
  (input, _options, { path, root, budget, document, documents }) => {
    if (!isObject(input) || !isSchemaPlace(root, path)) return []
    const draft = schemaDraft(isObject(root) ? root.$schema : undefined)
    const outside = outsideOf(document, documents)
    return check({ schema: input, path, root, draft, outside }, budget).map((it) => ({
      ...it,
      path: [...path, ...(it.path ?? [])],
    }))
  }

/** A function for a property that contains a separate schema, the root of its references: every schema in it is checked. */
export const withinSchema =
  (checks: readonly SchemaCheck[]): LintFunction =>
  (input, _options, { path, budget }) => {
    if (!isObject(input)) return []
    const draft = schemaDraft(input.$schema)
    return [...eachSchema(input, draft)].flatMap((at) =>
      checks.flatMap((check) =>
        check(at, budget).map((it) => ({ ...it, path: [...path, ...at.path, ...(it.path ?? [])] })),
      ),
    )
  }
