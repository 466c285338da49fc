import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'
import type { Resource } from '../../document/resource.ts'
import type { Excuse } from './excuse.ts'
import type { Run } from './run.ts'

interface Part {
  readonly schema: JsonObject
  readonly at: Resource
}

/** A schema and all that it consists of by "$ref" and "allOf", each once: parts that share parts have more ways than parts. */
function* partsOf(run: Run, schema: Json | undefined, at: Resource): Generator<Part> {
  if (!isObject(schema)) return
  const parts: Part[] = [{ schema, at }]
  const seen = new Set<JsonObject>([schema])
  const add = (it: Json, resource: Resource): void => {
    if (!isObject(it) || seen.has(it)) return
    seen.add(it)
    parts.push({ schema: it, at: resource })
  }
  for (const part of parts) {
    yield part
    const { $ref, allOf } = part.schema
    const target = typeof $ref === 'string' ? run.resolve($ref, part.at) : undefined
    if (target !== undefined) add(target.schema, target.resource)
    if (Array.isArray(allOf)) for (const it of allOf as Json[]) add(it, part.at)
  }
}

function isMarked(run: Run, property: Json | undefined, at: Resource, word: string): boolean {
  for (const { schema } of partsOf(run, property, at)) if (schema[word] === true) return true
  return false
}

function findNames(run: Run, whole: JsonObject, at: Resource, word: string): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { schema, at: inner } of partsOf(run, whole, at))
    if (isObject(schema.properties))
      for (const name of Object.keys(schema.properties))
        if (!names.has(name) && isMarked(run, schema.properties[name], inner, word)) names.add(name)
  return names
}

type Known = WeakMap<JsonObject, ReadonlySet<string>>
const known = { readOnly: new WeakMap<Resource, Known>(), writeOnly: new WeakMap<Resource, Known>() }

/** The names of a schema in one direction, found once for all values that are checked in a document. */
function namesIn(run: Run, schema: JsonObject, at: Resource, word: 'readOnly' | 'writeOnly'): ReadonlySet<string> {
  // What others say references mean may change from one validation to the next.
  if (run.options.linked !== undefined || run.options.external !== undefined) return findNames(run, schema, at, word)
  let inDocument = known[word].get(run.document)
  if (inDocument === undefined) known[word].set(run.document, (inDocument = new WeakMap()))
  let names = inDocument.get(schema)
  if (names === undefined) inDocument.set(schema, (names = findNames(run, schema, at, word)))
  return names
}

/**
 * The properties that a schema, in any of its parts, says are not sent in the direction of the validation: no one demands them
 * (OpenAPI 3.0.4, "Schema Object", `readOnly` and `writeOnly`). Null where the direction excuses nothing.
 */
export function excuseOf(run: Run, schema: JsonObject, value: JsonObject, at: Resource): Excuse | null {
  const { mode } = run.options
  if (mode === undefined || (mode === 'response' && run.dialect === 'openapi-2.0')) return null
  // Few values lack a property that is required: only then it matters which are excused.
  let names: ReadonlySet<string> | undefined
  return {
    value,
    has: (name) => (names ??= namesIn(run, schema, at, mode === 'request' ? 'readOnly' : 'writeOnly')).has(name),
  }
}
