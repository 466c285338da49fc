import type { Json, JsonObject } from '../kernel/json.ts'
import { visitNodes } from '../document/references-in-document.ts'
import { resourcesOf } from '../document/resource.ts'
import type { Dialect } from './validation/run.ts'

/**
 * The first `$ref` of a schema that leads to nothing within it (JSON Schema 2020-12, section 8.2.3). Values of "enum",
 * "const" and the like are data, not schemas.
 * @returns the reference as it is written; null where every one can be resolved
 */
export function danglingReference(schema: JsonObject, dialect: Dialect): string | null {
  const draft = dialect === 'openapi-2.0' || dialect === 'openapi-3.0' ? 'none' : dialect
  const start = { draft, schema: true } as const
  const resources = resourcesOf(schema, start)
  let found: string | null = null
  const check = ({ $ref }: { readonly $ref?: Json }, at: typeof resources.document): void => {
    if (found === null && typeof $ref === 'string' && resources.resolve($ref, at) === undefined) found = $ref
  }
  visitNodes(schema, (node, _path, at) => check(node, at), start)
  return found
}
