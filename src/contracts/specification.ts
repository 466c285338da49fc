import { isMethod } from '../kernel/methods.ts'
import type { Answer, MediaType, Operation, Parameter } from '../diff/model/api.ts'
import { mediaTypeName } from '../diff/model/media-type.ts'
import { operationsOf, pathsOf, shapeOf } from '../diff/model/openapi.ts'
import { Side, type PlacedValue } from '../diff/side.ts'
import type { Document } from '../document/document.ts'
import { isObject } from '../kernel/json.ts'

/** What a look for an operation ends with. */
export type Lookup =
  | { readonly found: Operation }
  | { readonly found: null; readonly reason: 'operation-not-found' | 'method-not-found' }

/** Other media types, and ranges of them, whose fields have names. */
const fieldTypes: ReadonlySet<string> = new Set([
  '*/*',
  'application/*',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
])

/** Whether fields of a body in this media type can be named. */
export const isJsonLike = (mediaType: string): boolean => {
  const essence = mediaType.split(';')[0] ?? ''
  return /^(application|text)\/json$|\+json$/.test(essence) || fieldTypes.has(essence)
}

/** A description of an API as consumers look at it: operations found by method and path, read when they are asked for. */
export class Specification {
  readonly side: Side
  readonly templates: readonly string[]
  /** The paths of the servers without a slash at the end, longest first; "" is never among them. */
  readonly prefixes: readonly string[]
  readonly #items: ReadonlyMap<string, PlacedValue>
  readonly #byShape = new Map<string, string[]>()
  readonly #operations = new Map<string, readonly Operation[]>()

  constructor(document: Document) {
    this.side = new Side('base', document)
    this.#items = pathsOf(this.side)
    this.templates = [...this.#items.keys()]
    for (const template of this.templates) {
      const shape = shapeOf(template)
      const known = this.#byShape.get(shape)
      if (known) known.push(template)
      else this.#byShape.set(shape, [template])
    }
    this.prefixes = prefixesOf(this.side)
  }

  /** The operations of a path template, in the order of the methods. */
  operationsAt(template: string): readonly Operation[] {
    const known = this.#operations.get(template)
    if (known) return known
    const item = this.#items.get(template)
    const found = item === undefined ? [] : operationsOf(this.side, item, template)
    this.#operations.set(template, found)
    return found
  }

  /** How many methods a path item has, without reading its operations. */
  methodsAt(template: string): readonly string[] {
    const item = this.#items.get(template)
    return item && isObject(item.value) ? Object.keys(item.value).filter(isMethod) : []
  }

  /** What an operation is looked for by: method, path, id and summary, in small letters and without reading it. */
  wordsAt(template: string, method: string): string {
    const item = this.#items.get(template)?.value
    const operation = isObject(item) ? item[method] : undefined
    const said = isObject(operation) ? [operation.operationId, operation.summary] : []
    return [method, template, ...said.filter((it) => typeof it === 'string')].join(' ').toLowerCase()
  }

  /** The operation of a method and a path template; how its parameters are called does not matter. */
  find(method: string, template: string): Lookup {
    const alike = this.#byShape.get(shapeOf(template)) ?? []
    const candidates = this.#items.has(template) ? [template, ...alike.filter((it) => it !== template)] : alike
    const wanted = method.toUpperCase()
    for (const it of candidates) {
      const found = this.operationsAt(it).find((operation) => operation.method.toUpperCase() === wanted)
      if (found) return { found }
    }
    return { found: null, reason: candidates.length > 0 ? 'method-not-found' : 'operation-not-found' }
  }
}

const pathOfServer = (url: string): string => {
  const path = url
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
    .replace(/^\/\/[^/]*/, '')
    .replace(/[?#].*$/, '')
  return path.startsWith('/') ? path.replace(/\/+$/, '') : ''
}

const filledIn = (url: string, variables: unknown): string =>
  url.replaceAll(/\{([^}]*)\}/g, (whole, name: string) => {
    const variable = isObject(variables) ? variables[name] : undefined
    return isObject(variable) && typeof variable.default === 'string' ? variable.default : whole
  })

const prefixesOf = (side: Side): readonly string[] => {
  const root = side.root
  if (!isObject(root)) return []
  const urls: string[] = []
  if (typeof root.basePath === 'string') urls.push(root.basePath)
  for (const server of Array.isArray(root.servers) ? (root.servers as readonly unknown[]) : [])
    if (isObject(server) && typeof server.url === 'string') urls.push(filledIn(server.url, server.variables))
  const prefixes = new Set(urls.map(pathOfServer).filter((it) => it !== ''))
  return [...prefixes].sort((a, b) => b.length - a.length)
}

/** The response for a status: declared exactly, by its range, or as the default. */
export const answerFor = (operation: Operation, status: string): Answer | null => {
  const wanted = status.toUpperCase()
  return (
    operation.answers.get(wanted) ??
    (/^[1-5]\d\d$/.test(wanted) ? operation.answers.get(`${wanted[0]}XX`) : undefined) ??
    operation.answers.get('DEFAULT') ??
    null
  )
}

/** The schemas of a body whose fields can be named: all media types that are like JSON, or the one that is asked for. */
export const schemasOf = (
  content: ReadonlyMap<string, MediaType>,
  mediaType: string | null = null,
): readonly PlacedValue[] => {
  const asked = mediaType === null ? undefined : content.get(mediaTypeName(mediaType))
  if (asked?.schema && isJsonLike(mediaType ?? '')) return [asked.schema]
  return [...content].flatMap(([name, media]) => (isJsonLike(name) && media.schema ? [media.schema] : []))
}

const nameOf = (parameter: Parameter): string =>
  parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name

/** The parameter that a consumer means by a name: `limit`; `filter` for `filter[state]`; `ids` for `ids[]`. */
export const parameterFor = (operation: Operation, name: string, place: string | null): Parameter | null => {
  const all = [...operation.parameters.values()].filter((it) => place === null || it.in === place)
  const exact = all.find((it) => nameOf(it) === (it.in === 'header' ? name.toLowerCase() : name))
  if (exact) return exact
  const [outer = ''] = name.split('[', 1)
  if (outer === '' || outer === name) return null
  return all.find((it) => it.in === 'query' && (it.name === outer || it.name === `${outer}[]`)) ?? null
}
