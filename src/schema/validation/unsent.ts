import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import type { Resource } from '../../document/resource.ts'
import type { Excuse } from './excuse.ts'
import type { Run } from './run.ts'

const deepest = 12

function isMarked(run: Run, property: Json | undefined, at: Resource, word: string, depth: number): boolean {
  if (!isObject(property) || depth > deepest) return false
  if (property[word] === true) return true
  const target = typeof property.$ref === 'string' ? run.resolve(property.$ref, at) : undefined
  if (target !== undefined && isMarked(run, target.schema, target.resource, word, depth + 1)) return true
  return Array.isArray(property.allOf) && property.allOf.some((it: Json) => isMarked(run, it, at, word, depth + 1))
}

function collect(run: Run, schema: JsonObject, at: Resource, word: string, into: Set<string>, depth: number): void {
  if (depth > deepest) return
  if (isObject(schema.properties))
    for (const name of Object.keys(schema.properties))
      if (isMarked(run, schema.properties[name], at, word, 0)) into.add(name)
  const target = typeof schema.$ref === 'string' ? run.resolve(schema.$ref, at) : undefined
  if (target !== undefined && isObject(target.schema))
    collect(run, target.schema, target.resource, word, into, depth + 1)
  if (Array.isArray(schema.allOf))
    for (const it of schema.allOf as Json[]) if (isObject(it)) collect(run, it, at, word, into, depth + 1)
}

/**
 * The properties that a schema, in any of its parts, says are not sent in the direction of the validation: no one demands them
 * (OpenAPI 3.0.4, "Schema Object", `readOnly` and `writeOnly`). Null where there is none.
 */
export function excuseOf(run: Run, schema: JsonObject, value: JsonObject, at: Resource): Excuse | null {
  const { mode } = run.options
  if (mode === undefined || (mode === 'response' && run.dialect === 'openapi-2.0')) return null
  const names = new Set<string>()
  collect(run, schema, at, mode === 'request' ? 'readOnly' : 'writeOnly', names, 0)
  return names.size === 0 ? null : { value, names }
}
