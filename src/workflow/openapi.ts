/** OpenAPI descriptions as a run needs them: operations by id and by path, servers, parameters, answers. Written in 3.1 or 3.2. */
import { isObject, type Json, type JsonObject, textOf } from '../kernel/json.ts'
import { followPath, parseFragment } from '../kernel/pointer.ts'
import { operationsIn } from '../kernel/methods.ts'

/** An OpenAPI description that refers to no other document. */
export interface Description {
  /** The name of the source. */
  readonly source: string
  /** The file or address that it was read from, to which relative servers are joined. */
  readonly address: string
  readonly root: JsonObject
  readonly operations: readonly Called[]
}

/** An operation of a description. */
export interface Called {
  readonly source: string
  readonly root: JsonObject
  /** Upper-case. */
  readonly method: string
  /** The template of its path. */
  readonly path: string
  readonly operationId: string | null
  readonly operation: JsonObject
  readonly pathItem: JsonObject
}

const mostReferences = 50

/** What a value is behind its references within the description. */
export function deref(root: JsonObject, value: Json | undefined): Json | undefined {
  let at = value
  for (let count = 0; count < mostReferences && isObject(at) && typeof at.$ref === 'string'; count++) {
    const path = at.$ref.startsWith('#') ? parseFragment(at.$ref) : null
    at = path === null ? undefined : followPath(root, path)?.value
  }
  return at
}

export const derefObject = (root: JsonObject, value: Json | undefined): JsonObject => {
  const found = deref(root, value)
  return isObject(found) ? found : {}
}

/** Reads a description: its root is OpenAPI 3.1 or 3.2 and refers to nothing else. */
export function readDescription(source: string, address: string, root: JsonObject): Description {
  const paths = isObject(root.paths) ? root.paths : {}
  const operations = Object.entries(paths).flatMap(([path, written]): Called[] => {
    const pathItem = derefObject(root, written)
    return [...operationsIn(pathItem, undefined, true, (value) => deref(root, value) ?? null)].map(
      ({ method, operation }) => ({
        source,
        root,
        method,
        path,
        operationId: typeof operation.operationId === 'string' ? operation.operationId : null,
        operation,
        pathItem,
      }),
    )
  })
  return { source, address, root, operations }
}

/** One parameter of an operation. */
export interface DeclaredParameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly value: JsonObject
}

/** The parameters of an operation; what it says itself takes the place of what its path says. */
export function parametersOf({ root, operation, pathItem }: Called): readonly DeclaredParameter[] {
  const found = new Map<string, DeclaredParameter>()
  for (const list of [pathItem.parameters, operation.parameters])
    for (const written of Array.isArray(list) ? (list as readonly Json[]) : []) {
      const value = derefObject(root, written)
      const name = textOf(value.name)
      const place = textOf(value.in)
      found.set(`${place}\n${name}`, { name, in: place, required: value.required === true, value })
    }
  return [...found.values()]
}

/** The first server of an operation, with the defaults of its variables; null where no description names one. */
export function serverOf({ root, operation, pathItem }: Called): string | null {
  const list = [operation.servers, pathItem.servers, root.servers].find((it) => Array.isArray(it) && it.length > 0)
  const [server] = (list ?? []) as readonly Json[]
  if (!isObject(server) || typeof server.url !== 'string') return null
  const variables = isObject(server.variables) ? server.variables : {}
  return server.url.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = variables[name]
    return isObject(variable) && typeof variable.default === 'string' ? variable.default : whole
  })
}

/** A documented answer: the key that describes a status, and what it says. */
export interface Answer {
  /** "200", "2XX" or "default". */
  readonly key: string
  readonly value: JsonObject
}

/** The answer that describes a status: its code, else its range, else the default; null where there is none. */
export function answerOf({ root, operation }: Called, status: number): Answer | null {
  const responses = isObject(operation.responses) ? operation.responses : {}
  const wanted = [String(status), `${String(status)[0]}XX`, 'default']
  const key = wanted.find((it) => Object.hasOwn(responses, it))
  return key === undefined ? null : { key, value: derefObject(root, responses[key]) }
}

/** The keys of all documented answers. */
export const answerKeys = ({ operation }: Called): readonly string[] =>
  Object.keys(isObject(operation.responses) ? operation.responses : {}).filter((it) => !it.startsWith('x-'))

/** "application/json" of "application/json; charset=utf-8". */
export const essenceOf = (type: string): string => (type.split(';')[0] ?? '').trim().toLowerCase()

export const isJsonType = (type: string): boolean => /^application\/json$|\+json$/.test(essenceOf(type))
export const isXmlType = (type: string): boolean => /^(?:application|text)\/xml$|\+xml$/.test(essenceOf(type))

/** The entry of a `content` that describes a media type: the most exact one. */
export function mediaTypeOf(content: JsonObject, type: string): JsonObject | null {
  const essence = essenceOf(type)
  const entries = Object.entries(content).filter((it): it is [string, JsonObject] => isObject(it[1]))
  const ranges = [essence, `${essence.split('/')[0]}/*`, '*/*']
  for (const range of ranges) {
    const found = entries.find(([key]) => essenceOf(key) === range)
    if (found !== undefined) return found[1]
  }
  return null
}

const sourced = /^\$sourceDescriptions\.([A-Za-z0-9_-]+)\.(.+)$/s
// Many documents write the source without `.url` or without braces.
const placed = /^\{?\$sourceDescriptions\.([A-Za-z0-9_-]+)(?:\.url)?\}?#(.+)$/s

/** An operation that a step calls, or why there is none. */
export function findOperation(step: JsonObject, descriptions: ReadonlyMap<string, Description>): Called | string {
  if (typeof step.operationId === 'string') return findById(step.operationId, descriptions)
  const path = textOf(step.operationPath)
  const [, source = '', fragment = ''] = placed.exec(path) ?? []
  const description = descriptions.get(source)
  if (description === undefined) return `"${path}" names no OpenAPI source that was read`
  const [area, template, ...method] = parseFragment(fragment) ?? []
  const found = description.operations.find(
    (it) => area === 'paths' && it.path === template && it.method === method.at(-1)?.toUpperCase(),
  )
  return found ?? `There is no operation at ${fragment} of the source "${source}"`
}

function findById(id: string, descriptions: ReadonlyMap<string, Description>): Called | string {
  const [, source, rest = ''] = sourced.exec(id) ?? []
  const asked = source === undefined ? [...descriptions.values()] : [descriptions.get(source)]
  if (asked.length === 0 || asked.includes(undefined))
    return `The source "${source ?? ''}" is no OpenAPI description that was read`
  const wanted = source === undefined ? id : rest
  const found = asked.flatMap((it) => it?.operations.filter(({ operationId }) => operationId === wanted) ?? [])
  const [first] = found
  if (first === undefined) return findBehindName(id, descriptions) ?? `No source has the operation "${wanted}"`
  return found.length === 1
    ? first
    : `Several sources have an operation "${wanted}"; write $sourceDescriptions.NAME.${wanted}`
}

/** "shop.pay": the name of a source and an operation of it, as documents write them that other tools run. */
function findBehindName(id: string, descriptions: ReadonlyMap<string, Description>): Called | null {
  for (const [name, { operations }] of descriptions) {
    if (!id.startsWith(`${name}.`)) continue
    const found = operations.find(({ operationId }) => operationId === id.slice(name.length + 1))
    if (found !== undefined) return found
  }
  return null
}
