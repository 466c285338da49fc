import { isObject, type Json, type JsonObject } from '../document/json.ts'
import { formatPointer, getPath, parseFragment } from '../document/pointer.ts'
import type { Operation } from './spec.ts'

export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const

const text = (value: Json | undefined): string | null => (typeof value === 'string' && value !== '' ? value : null)

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
  return Object.keys(paths).flatMap((path) => {
    const found = path.startsWith('/') ? followItem(root, path) : null
    if (found === null) return []
    return methods.flatMap((method) => {
      const operation = found.item[method]
      if (!isObject(operation)) return []
      return [
        {
          ref: `${method.toUpperCase()} ${path}`,
          method: method.toUpperCase(),
          path,
          operationId: text(operation.operationId),
          summary: text(operation.summary),
          tags: texts(operation.tags),
          deprecated: operation.deprecated === true,
          pointer: formatPointer([...found.at, method]),
        },
      ]
    })
  })
}
