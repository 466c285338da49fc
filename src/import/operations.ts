import { isObject, type Json, type JsonObject, filledText } from '../kernel/json.ts'
import { methodsOf, operationsIn } from '../kernel/methods.ts'
import { formatPointer, getPath, parseFragment } from '../kernel/pointer.ts'
import type { Operation } from './spec.ts'

const texts = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []

// A path item may be a reference to one in `components/pathItems` or under another path.
const followItem = (
  root: JsonObject,
  path: string,
): { readonly at: readonly string[]; readonly item: JsonObject } | null => {
  let at: readonly string[] = ['paths', path]
  let item = getPath(root, at)
  for (let hops = 0; hops < 16 && isObject(item) && typeof item.$ref === 'string'; hops++) {
    const next = item.$ref.startsWith('#') ? parseFragment(item.$ref) : null
    const target = next === null ? undefined : getPath(root, next)
    if (next === null || target === undefined) break
    at = next
    item = target
  }
  return isObject(item) ? { at, item } : null
}

/** The operations of an OpenAPI or Swagger document in the order of its paths. */
export const listOperations = (root: JsonObject): Operation[] => {
  const paths = isObject(root.paths) ? root.paths : {}
  const methods = methodsOf(root)
  return Object.keys(paths).flatMap((path) => {
    const found = path.startsWith('/') ? followItem(root, path) : null
    if (found === null) return []
    return Array.from(operationsIn(found.item, methods), ({ method, steps, operation }) => ({
      ref: `${method} ${path}`,
      method,
      path,
      operationId: filledText(operation.operationId),
      summary: filledText(operation.summary),
      tags: texts(operation.tags),
      deprecated: operation.deprecated === true,
      pointer: formatPointer([...found.at, ...steps]),
    }))
  })
}
