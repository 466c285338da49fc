/** One operation of a description in OpenAPI 3.1 or later, with its references followed. */
import { convertDocument, isConvertible } from '../../../src/convert/convert.ts'
import type { Document } from '../../../src/document/document.ts'
import { SvcError } from '../../../src/errors.ts'
import { isObject, type Json, type JsonObject, listOf } from '../../../src/kernel/json.ts'
import { operationsIn } from '../../../src/kernel/methods.ts'
import { getPath, parseFragment } from '../../../src/kernel/pointer.ts'
import { suggest } from '../../../src/kernel/suggest.ts'

/** A description as plain data that refers to itself alone. */
export type Root = JsonObject

/** Something that is sent with a content: a request or an answer. */
export interface MediaContent {
  readonly type: string
  readonly schema: Json
  /** Values that the author gives. */
  readonly examples: readonly Json[]
}

export interface ParameterOf {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly schema: Json
  readonly examples: readonly Json[]
}

export interface OperationOf {
  readonly method: string
  readonly path: string
  readonly operationId: string | null
  readonly parameters: readonly ParameterOf[]
  readonly body: { readonly required: boolean; readonly content: readonly MediaContent[] } | null
  readonly answers: readonly { readonly status: string; readonly content: readonly MediaContent[] }[]
}

/**
 * A document as OpenAPI 3.1 or later.
 * @throws SvcError `usage` for one that describes no operations
 */
export function rootOf(document: Document, name: string): Root {
  const { format, value } = document
  const isLater = format?.kind === 'openapi' && format.version.startsWith('3.2')
  if (isLater && isObject(value)) return value
  if (format?.kind !== 'openapi' && format?.kind !== 'swagger' && !isConvertible(document))
    throw new SvcError('usage', { reason: `${name} is no OpenAPI description, so it has no operations` })
  const converted = convertDocument(document, 'openapi-3.1').value
  if (!isObject(converted.paths)) throw new SvcError('usage', { reason: `${name} describes no operations` })
  return converted
}

/** What a reference leads to, through others; an empty object where it cannot be resolved. */
export function follow(root: Root, value: Json | undefined): JsonObject {
  let found = value
  for (let hops = 0; isObject(found) && typeof found.$ref === 'string' && hops < 50; hops++) {
    const path = found.$ref.startsWith('#') ? parseFragment(found.$ref) : null
    found = path === null ? undefined : getPath(root, path)
  }
  return isObject(found) ? found : {}
}

function examplesOf(root: Root, holder: JsonObject): Json[] {
  const named = isObject(holder.examples) ? Object.values(holder.examples) : []
  const values = named.map((it) => {
    const example = follow(root, it)
    return example.dataValue ?? example.value
  })
  return [holder.example, ...values].filter((it) => it !== undefined)
}

const contentOf = (root: Root, content: Json | undefined): MediaContent[] =>
  Object.entries(isObject(content) ? content : {}).map(([type, it]) => {
    const media = follow(root, it)
    return { type, schema: media.schema ?? media.itemSchema ?? true, examples: examplesOf(root, media) }
  })

function parameterOf(root: Root, written: Json): ParameterOf {
  const it = follow(root, written)
  const [media] = contentOf(root, it.content)
  return {
    name: String(it.name ?? ''),
    in: String(it.in ?? ''),
    required: it.required === true,
    schema: it.schema ?? media?.schema ?? true,
    examples: [...examplesOf(root, it), ...(media?.examples ?? [])],
  }
}

function readOperation(
  root: Root,
  at: { method: string; path: string },
  item: JsonObject,
  operation: JsonObject,
): OperationOf {
  const all = [...listOf(item.parameters), ...listOf(operation.parameters)].map((one) => parameterOf(root, one))
  const body = operation.requestBody === undefined ? null : follow(root, operation.requestBody)
  return {
    ...at,
    operationId: typeof operation.operationId === 'string' ? operation.operationId : null,
    parameters: [...new Map(all.map((one) => [`${one.in} ${one.name}`, one])).values()],
    body: body === null ? null : { required: body.required === true, content: contentOf(root, body.content) },
    answers: Object.entries(isObject(operation.responses) ? operation.responses : {})
      .filter(([status]) => !status.startsWith('x-'))
      .map(([status, answer]) => ({ status, content: contentOf(root, follow(root, answer).content) })),
  }
}

/**
 * Finds an operation by "GET /pets/{id}" or its operationId.
 * @throws SvcError `operation-not-found` with what was probably meant
 */
export function findOperation(root: Root, wanted: string): OperationOf {
  const names: string[] = []
  for (const [path, written] of Object.entries(isObject(root.paths) ? root.paths : {})) {
    const item = follow(root, written)
    for (const { method, operation } of operationsIn(item)) {
      const name = `${method} ${path}`
      const id = operation.operationId
      if (name.toLowerCase() === wanted.trim().toLowerCase() || (typeof id === 'string' && id === wanted.trim()))
        return readOperation(root, { method, path }, item, operation)
      names.push(name, ...(typeof id === 'string' ? [id] : []))
    }
  }
  const near = suggest(wanted, names)
  throw new SvcError('usage', {
    reason: `There is no operation "${wanted.slice(0, 200)}"${near === null ? '; name it as "GET /pets" or by its operationId' : `; did you mean "${near}"?`}`,
  })
}
