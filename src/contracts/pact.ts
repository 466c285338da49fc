import { isObject, type Json, type JsonObject, filledText, objectOf, textOrJson } from '../kernel/json.ts'

/** One body of an interaction: a JSON value, form fields, other text, or none. */
export type PactBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: Json }
  | { readonly kind: 'other'; readonly mediaType: string | null }

export interface PactInteraction {
  /** Its description, or its position where it has none. */
  readonly name: string
  readonly method: string
  /** Without its query. */
  readonly path: string
  readonly query: ReadonlyMap<string, readonly string[]>
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: PactBody
  readonly status: string
  readonly responseHeaders: ReadonlyMap<string, string>
  readonly responseBody: PactBody
}

/** An entry of the file that is not an HTTP interaction, with its kind. */
export interface UnsupportedInteraction {
  readonly name: string
  readonly what: string
}

/** A contract-test document as its consumer wrote it. */
export interface Pact {
  readonly consumer: string | null
  readonly provider: string | null
  /** What it says of itself: "2.0.0"; null where it says nothing. */
  readonly specification: string | null
  readonly interactions: readonly PactInteraction[]
  readonly unsupported: readonly UnsupportedInteraction[]
}

const nameOf = (value: Json | undefined): string | null => filledText(objectOf(value).name)?.trim() || null

/** Versions are written in four places by the tools of the last ten years. */
const specificationOf = (metadata: JsonObject): string | null => {
  for (const key of [
    'pactSpecification',
    'pact-specification',
    'pactSpecificationVersion',
    'pact-specification-version',
  ]) {
    const it = metadata[key]
    const version = isObject(it) ? it.version : it
    if (typeof version === 'string' || typeof version === 'number') return String(version)
    if (version !== undefined && version !== null) return JSON.stringify(version)
  }
  return null
}

const headersOf = (value: Json | undefined): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(objectOf(value)).map(([name, it]) => [
      name.toLowerCase(),
      Array.isArray(it) ? (it as readonly Json[]).map(textOrJson).join(', ') : textOrJson(it),
    ]),
  )

const addQuery = (query: Map<string, string[]>, text: string): void => {
  for (const [name, value] of new URLSearchParams(text)) {
    const known = query.get(name)
    if (known) known.push(value)
    else query.set(name, [value])
  }
}

/** A string up to version 2 ("a=1&b=2"), a map of lists from version 3 on; both are met everywhere. */
const queryOf = (value: Json | undefined, inPath: string): ReadonlyMap<string, readonly string[]> => {
  const query = new Map<string, string[]>()
  addQuery(query, inPath)
  if (typeof value === 'string') addQuery(query, value.replace(/^\?/, ''))
  for (const [name, it] of Object.entries(objectOf(value)))
    query.set(name, (Array.isArray(it) ? (it as readonly Json[]) : [it]).map(textOrJson))
  return query
}

const mediaTypeIn = (value: string | null | undefined): string | null => {
  const name = value?.split(';')[0]?.trim().toLowerCase() ?? ''
  return name === '' ? null : name
}

const parseJson = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

// The names of the parts of a form; their values say nothing more.
const partsIn = (text: string): Json =>
  Object.fromEntries(
    [...text.matchAll(/^content-disposition:[^\n]*?[;\s]name="([^"\n]{1,200})"/gim)].map((it) => [it[1], '']),
  )

const textBody = (text: string, mediaType: string | null): PactBody => {
  if (text === '') return { kind: 'none' }
  if (mediaType === 'multipart/form-data') return { kind: 'json', value: partsIn(text) }
  if (mediaType === 'application/x-www-form-urlencoded')
    return { kind: 'json', value: Object.fromEntries(new URLSearchParams(text)) }
  const looksJson = mediaType === null ? /^\s*[[{]/.test(text) : mediaType.endsWith('json')
  const value = looksJson ? parseJson(text) : undefined
  return value === undefined || typeof value !== 'object' ? { kind: 'other', mediaType } : { kind: 'json', value }
}

const bodyKeys = new Set(['content', 'contentType', 'contentTypeHint', 'encoded'])

/** Version 4 wraps a body: `{content, contentType, encoded}`; tools of that version write bare bodies as well. */
const isWrapped = (body: JsonObject): boolean =>
  Object.hasOwn(body, 'content') && Object.keys(body).every((key) => bodyKeys.has(key)) && Object.keys(body).length > 1

const decoded = (content: string, encoded: Json | undefined): string => {
  if (encoded !== 'base64' && encoded !== true) return content
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(content), (char) => char.codePointAt(0) ?? 0))
  } catch {
    return content
  }
}

const bodyOf = (message: JsonObject, headers: ReadonlyMap<string, string>): PactBody => {
  const mediaType = mediaTypeIn(headers.get('content-type'))
  const { body } = message
  if (body === undefined || body === null) return { kind: 'none' }
  if (isObject(body) && isWrapped(body)) {
    const own = mediaTypeIn(filledText(body.contentType)) ?? mediaType
    const { content } = body
    if (content === undefined || content === null) return { kind: 'none' }
    return typeof content === 'string'
      ? textBody(decoded(content, body.encoded), own)
      : { kind: 'json', value: content }
  }
  if (isObject(body) && Object.hasOwn(body, 'content') && Object.keys(body).length === 1 && body.content === '')
    return { kind: 'none' }
  if (typeof body === 'string') return textBody(body, mediaType)
  return { kind: 'json', value: body }
}

const statusOf = (value: Json | undefined): string =>
  typeof value === 'number' || (typeof value === 'string' && /^\d{3}$/.test(value)) ? String(value) : '200'

const interactionOf = (json: Json, position: number): PactInteraction | UnsupportedInteraction => {
  const raw = objectOf(json)
  const name = filledText(raw.description) ?? `interaction ${position + 1}`
  if (!isObject(json)) return { name, what: 'it is not an object' }
  const type = filledText(raw.type)
  if (type !== null && type !== 'Synchronous/HTTP') return { name, what: `interactions of type ${type} are not HTTP` }
  if (!isObject(raw.request)) return { name, what: 'it has no request' }
  const { request } = raw
  const response = objectOf(raw.response)
  const path = request.path === undefined || request.path === '' ? '/' : filledText(request.path)
  if (path === null) return { name, what: 'its request has no path' }
  // Some write the address of their mock server before the path.
  const [bare = '/', ...rest] = path.replace(/^https?:\/\/[^/?]*/i, '').split('?')
  const headers = headersOf(request.headers)
  const responseHeaders = headersOf(response.headers)
  return {
    name,
    method: (filledText(request.method) ?? 'GET').toUpperCase(),
    path: bare.startsWith('/') ? bare : `/${bare}`,
    query: queryOf(request.query, rest.join('?')),
    headers,
    body: bodyOf(request, headers),
    status: statusOf(response.status),
    responseHeaders,
    responseBody: bodyOf(response, responseHeaders),
  }
}

const supported = /^[1-4](?:\.\d+){0,2}$/

// Versions that are not written down show in what only they have; plain interactions are those of 1.x and 2.x.
const isInferable = (value: JsonObject): boolean =>
  [value.interactions, value.messages].some((list) => Array.isArray(list) && list.length > 0)

const versionFault = (value: JsonObject, version: string | null): string | null => {
  if (version !== null)
    return supported.test(version.trim())
      ? null
      : `its version of the Pact specification is "${version}"; versions 1.x to 4.x are supported`
  return isInferable(value)
    ? null
    : 'it names no version of the Pact specification (metadata.pactSpecification.version) and has no interactions that show it'
}

/**
 * Reads a contract-test document of the Pact specification, versions 1.0 to 4.0. Matching rules, provider states and
 * generators are not looked at.
 *
 * @returns a message if the value is not a Pact file, or one of another version
 */
export const readPact = (value: Json): Pact | string => {
  if (!isObject(value)) return 'it is not a JSON object'
  const { interactions, messages } = value
  if (!Array.isArray(interactions) && !Array.isArray(messages)) return '"interactions" (or "messages") is missing'
  const specification = specificationOf(objectOf(value.metadata))
  const fault = versionFault(value, specification)
  if (fault !== null) return fault
  const read = (Array.isArray(interactions) ? (interactions as readonly Json[]) : []).map(interactionOf)
  const unread = (Array.isArray(messages) ? (messages as readonly Json[]) : []).map((it, i) => ({
    name: filledText(objectOf(it).description) ?? `message ${i + 1}`,
    what: 'messages are not HTTP',
  }))
  return {
    consumer: nameOf(value.consumer),
    provider: nameOf(value.provider),
    specification,
    interactions: read.filter((it): it is PactInteraction => 'method' in it),
    unsupported: [...read.filter((it): it is UnsupportedInteraction => 'what' in it), ...unread],
  }
}

/** The keys of an example as a tree: what to look for in a schema. `null` ends a branch. */
export interface KeyTree {
  readonly names: Map<string, KeyTree>
  items: KeyTree | null
}

const deepest = 60

const grow = (tree: KeyTree, value: Json, depth: number): KeyTree => {
  if (depth > deepest) return tree
  if (Array.isArray(value)) {
    tree.items ??= { names: new Map(), items: null }
    for (const it of value as readonly Json[]) grow(tree.items, it, depth + 1)
  } else if (isObject(value)) {
    for (const [name, it] of Object.entries(value)) {
      let child = tree.names.get(name)
      if (!child) tree.names.set(name, (child = { names: new Map(), items: null }))
      grow(child, it, depth + 1)
    }
  }
  return tree
}

/** Adds the keys of an example to a tree, so that several examples are one. */
export const keysOf = (value: Json, tree: KeyTree = { names: new Map(), items: null }): KeyTree => grow(tree, value, 0)
