/** What the operations of a description take and answer, in one form for all versions, and how parts of a document are read. */
import { isObject, type Json, type JsonObject } from '../case.ts'

export type Version = '2.0' | '3.0' | '3.1' | '3.2'
export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie' | 'querystring'

export interface Parameter {
  readonly name: string
  readonly in: ParameterPlace
  readonly required: boolean
  readonly style: string
  readonly explode: boolean
  readonly schema: Json
  /** Where the value is written as this media type instead of a style. */
  readonly mediaType?: string
  readonly allowEmptyValue?: boolean
}

export interface Content {
  readonly schema: Json
  /** What each item of a sequence is (3.2). */
  readonly itemSchema?: Json
  readonly encoding: JsonObject
}

export interface Body {
  readonly required: boolean
  readonly content: ReadonlyMap<string, Content>
}

export interface Answer {
  readonly headers: readonly Parameter[]
  readonly content: ReadonlyMap<string, Content>
}

/** What one alternative asks for: every scheme of it, with scopes. */
export type Requirement = readonly { readonly scheme: JsonObject; readonly scopes: readonly string[] }[]

export interface Operation {
  readonly method: string
  readonly path: string
  readonly servers: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly body: Body | null
  readonly answers: ReadonlyMap<string, Answer>
  readonly security: readonly Requirement[]
}

export interface Api {
  readonly version: Version
  readonly document: JsonObject
  readonly operations: readonly Operation[]
  /** Webhooks and callbacks: requests that the service sends, and responses that it reads. */
  readonly outgoing: readonly Operation[]
}

export const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})
export const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])
export const textOf = (value: Json | undefined, otherwise = ''): string =>
  typeof value === 'string' ? value : otherwise

/** What a reference into the document leads to; other values as they are. @throws Error for any other reference. */
export function resolved(document: JsonObject, value: Json | undefined): Json | undefined {
  let found = value
  for (let hops = 0; isObject(found) && typeof found['$ref'] === 'string'; hops++) {
    const pointer = found['$ref']
    if (!pointer.startsWith('#/') || hops > 20) throw new Error(`The reference ${pointer} is not followed`)
    let at: Json | undefined = document
    for (const step of pointer.slice(2).split('/'))
      at = (at as JsonObject | undefined)?.[decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')]
    found = at
  }
  return found
}

/** The parameters of an operation, those of its path that it does not name again included, as the document has them. */
export function parametersOf(document: JsonObject, item: JsonObject, operation: JsonObject): readonly JsonObject[] {
  const read = (list: Json | undefined) => listOf(list).map((found) => objectOf(resolved(document, found)))
  const own = read(operation['parameters'])
  const isNamed = (one: JsonObject) => own.some((other) => other['name'] === one['name'] && other['in'] === one['in'])
  return [...own, ...read(item['parameters']).filter((one) => !isNamed(one))]
}

/** The requirements of security of an operation, with the schemes that they name. */
export function securityOf(document: JsonObject, operation: JsonObject, schemes: JsonObject): readonly Requirement[] {
  return listOf(operation['security'] ?? document['security']).map((requirement) =>
    Object.entries(objectOf(requirement)).map(([name, scopes]) => ({
      scheme: objectOf(resolved(document, schemes[name])),
      scopes: listOf(scopes).map((scope) => textOf(scope)),
    })),
  )
}
