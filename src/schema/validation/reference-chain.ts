import { isObject, type Json } from '../../kernel/json.ts'
import type { ResolvedSchema } from '../../document/resource.ts'
import type { Run } from './run.ts'

/** Where a reference leads through others that say nothing besides: the length of a chain does not count as depth. */
export function throughNames(run: Pick<Run, 'resolve'>, first: ResolvedSchema | undefined): ResolvedSchema | undefined {
  if (first === undefined || !isMereReference(first.schema)) return first
  const seen = new Set<Json>()
  let at = first
  while (isMereReference(at.schema)) {
    // A circle says nothing; it is followed as it is written.
    if (seen.has(at.schema)) return first
    seen.add(at.schema)
    const next = run.resolve(at.schema.$ref, at.resource)
    if (next === undefined || next.resource !== at.resource) break
    at = next
  }
  return at
}

const isMereReference = (schema: Json): schema is { readonly $ref: string } =>
  isObject(schema) && typeof schema.$ref === 'string' && Object.keys(schema).length === 1
