/** HTTP methods: those for which API descriptions have a field, by dialect, and the operations that they lead to. */
import { isObject, type Json, type JsonObject } from './json.ts'

/** The fields of a path item of Swagger 2.0 that are operations, in the order of the specification. */
export const swaggerMethods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const
/** The same of OpenAPI 3.0 and 3.1. */
export const openapi30Methods = [...swaggerMethods, 'trace'] as const
/** The same of OpenAPI 3.2: every method that any version has a field for. */
export const methods = [...openapi30Methods, 'query'] as const

/** The methods in the order in which documentation lists them. */
export const methodsByUse = ['get', 'query', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'] as const

/** The methods of requests that HTTP itself defines, as they are sent. */
export const httpMethods: readonly string[] = [...methods.map((it) => it.toUpperCase()), 'CONNECT']

const known: ReadonlySet<unknown> = new Set(methods)

/** Whether a key of a path item is a method that some version has a field for. */
export const isMethod = (key: unknown): key is (typeof methods)[number] => known.has(key)

/**
 * The methods of a document's version. `query` is one from OpenAPI 3.2 on; documents of Swagger may contain `trace`, although
 * it has no such field.
 */
export const methodsOf = (root: Json | undefined): readonly string[] => {
  if (!isObject(root)) return methods
  const isEarlier = root.swagger !== undefined || /^3\.[01](?:\.|$)/.test(String(root.openapi))
  return isEarlier ? openapi30Methods : methods
}

/** An operation of a path item. */
export interface ItemOperation {
  /** As the document writes it: "get", or "COPY" of `additionalOperations`. */
  readonly key: string
  /** As requests send it: "GET". */
  readonly method: string
  /** What leads from the path item to it. */
  readonly steps: readonly string[]
  readonly operation: JsonObject
}

/**
 * The operations of a path item.
 * @param order the methods to look for, in this order
 * @param withMore whether those of `additionalOperations` follow, which OpenAPI has since `query`
 * @param deref gives what a reference leads to: no version allows one in the place of an operation, and authors write it there
 */
export function* operationsIn(
  item: JsonObject,
  order: readonly string[] = methods,
  withMore = order.includes('query'),
  deref: (value: Json) => Json = (value) => value,
): Generator<ItemOperation> {
  for (const key of order) {
    const operation = Object.hasOwn(item, key) ? deref(item[key] as Json) : undefined
    if (isObject(operation)) yield { key, method: key.toUpperCase(), steps: [key], operation }
  }
  const more = deref(item.additionalOperations ?? null)
  if (!withMore || !isObject(more)) return
  for (const [key, written] of Object.entries(more)) {
    const operation = deref(written)
    if (isObject(operation)) yield { key, method: key, steps: ['additionalOperations', key], operation }
  }
}
