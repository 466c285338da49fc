import type { JsonObject } from '../../../src/kernel/json.ts'
import { isMethod, operationsIn } from '../../../src/kernel/methods.ts'
import { count } from './text.ts'
/** Reading of a parsed OpenAPI document as the viewer needs it: unknown in, safe pieces out; it never throws. */
export type Node = Readonly<Record<string, unknown>>

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const nodeAt = (value: unknown, key: string): Node | null => {
  const child = isNode(value) && Object.hasOwn(value, key) ? value[key] : null
  return isNode(child) ? child : null
}
export const textAt = (value: unknown, key: string): string | null => {
  const child = isNode(value) && Object.hasOwn(value, key) ? value[key] : null
  return typeof child === 'string' ? child : null
}
export const listAt = (value: unknown, key: string): readonly unknown[] => {
  const child = isNode(value) && Object.hasOwn(value, key) ? value[key] : null
  return Array.isArray(child) ? child : []
}
export const entriesAt = (value: unknown, key: string): [string, unknown][] => Object.entries(nodeAt(value, key) ?? {})

/** What a local reference names: its last word. */
export const refName = (ref: string): string =>
  ref
    .slice(ref.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')

/** Follows local references (RFC 6901 pointers after "#"); null where one cannot be resolved, outside, or round in a circle. */
export const follow = (root: unknown, value: unknown): { node: Node | null; ref: string | null } => {
  let node = isNode(value) ? value : null
  let first: string | null = null
  for (let hops = 0; node; hops++) {
    const ref = textAt(node, '$ref')
    if (ref === null) return { node, ref: first }
    first ??= ref
    if (!ref.startsWith('#/') || hops === 20) return { node: null, ref: first }
    let target: unknown = root
    for (const part of ref.slice(2).split('/')) {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
      if (isNode(target) && Object.hasOwn(target, key)) target = target[key]
      else target = Array.isArray(target) ? target[Number(key)] : null
    }
    node = isNode(target) ? target : null
  }
  return { node: null, ref: first }
}

const plainKeys = new Set(['type', 'const', 'format', 'description'])

/** The choices of a schema that only names types or values, as in "string or null"; null for any other schema. */
export const plainChoices = (schema: unknown): readonly unknown[] | null => {
  if (!isNode(schema)) return null
  const keys = Object.keys(schema)
  if (keys.length === 1 && keys[0] === 'anyOf') {
    const inner = listAt(schema, 'anyOf').map(plainChoices)
    return inner.some((it) => it === null) ? null : inner.flatMap((it) => it ?? [])
  }
  return keys.length > 0 && keys.every((key) => plainKeys.has(key)) ? [schema] : null
}

/** The type of a schema in a few characters: "string (date)", "array of Pet", "one of 3". */
export const typeWords = (schema: unknown): string => {
  if (typeof schema === 'boolean') return schema ? 'anything' : 'nothing'
  const ref = textAt(schema, '$ref')
  if (ref !== null) return refName(ref)
  if (!isNode(schema)) return 'anything'
  const choices = plainChoices({ anyOf: schema['anyOf'] })
  if (choices !== null && choices.length > 0 && choices.length <= 6) return choices.map(typeWords).join(' or ')
  for (const [key, words] of [
    ['oneOf', 'one of'],
    ['anyOf', 'any of'],
    ['allOf', 'all of'],
  ] as const) {
    const branches = listAt(schema, key)
    if (branches.length > 0)
      return `${words} ${branches
        .slice(0, 3)
        .map((it) => typeWords(it))
        .join(', ')}${branches.length > 3 ? ' …' : ''}`
  }
  if ('const' in schema) return JSON.stringify(schema['const'])
  const types = Array.isArray(schema['type']) ? schema['type'].map(String) : [textAt(schema, 'type')]
  const named = types.map((type) => {
    if (type === 'array') return `array of ${typeWords(schema['items'])}`
    if (type === null) return nodeAt(schema, 'properties') ? 'object' : 'anything'
    const format = textAt(schema, 'format')
    return format === null ? type : `${type} (${format})`
  })
  return named.join(' or ')
}

/** The limits that a schema puts on a value, as short phrases. */
export const limitWords = (schema: Node): string[] => {
  const words: string[] = []
  const say = (key: string, phrase: (value: string) => string): void => {
    const value = schema[key]
    if (typeof value === 'string' || typeof value === 'number') words.push(phrase(String(value)))
  }
  say('minimum', (it) => `≥ ${it}`)
  say('exclusiveMinimum', (it) => `> ${it}`)
  say('maximum', (it) => `≤ ${it}`)
  say('exclusiveMaximum', (it) => `< ${it}`)
  say('multipleOf', (it) => `multiple of ${it}`)
  say('minLength', (it) => `at least ${count(Number(it), 'character', 'characters')}`)
  say('maxLength', (it) => `at most ${count(Number(it), 'character', 'characters')}`)
  say('pattern', (it) => `matches ${it}`)
  say('minItems', (it) => `at least ${count(Number(it), 'item', 'items')}`)
  say('maxItems', (it) => `at most ${count(Number(it), 'item', 'items')}`)
  if ('default' in schema) words.push(`default ${JSON.stringify(schema['default'])}`)
  return words
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/**
 * The description of a node as plain text: descriptions are CommonMark and may hold HTML, of which only the words are
 * shown here. Nothing of it is ever drawn as HTML.
 */
export const descriptionAt = (value: unknown): string | null => {
  const text = textAt(value, 'description')
  if (text === null) return null
  const words = text
    .replaceAll(/<\/(?:p|li|h\d|tr)>|<br ?\/?>/gi, '\n')
    .replaceAll(/<\/?[a-z][^<>]*>/gi, '')
    .replaceAll(/&([a-z]+|#39);/g, (whole, name: string) => entities[name] ?? whole)
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  return words === '' ? null : words
}

/** An address that a link may lead to: of this service or of the web. Anything else, such as "javascript:", is null. */
export const linkAddress = (address: string | null): string | null =>
  address !== null && /^(?:https?:\/\/|\/(?![/\\]))/i.test(address) ? address : null

/** One operation of a document. */
export interface ListedOperation {
  /** Method and path: "GET /pets/{id}". */
  readonly ref: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly item: Node
  readonly operation: Node
}

/** Every operation of an OpenAPI document, in its order. */
export const listOperations = (root: unknown): ListedOperation[] =>
  entriesAt(root, 'paths').flatMap(([path, item]) =>
    isNode(item)
      ? Array.from(
          operationsIn(item as JsonObject, Object.keys(item).filter(isMethod), true),
          ({ method, operation }) => {
            const summary = textAt(operation, 'summary') ?? textAt(operation, 'operationId') ?? ''
            return { ref: `${method} ${path}`, method, path, summary, item, operation }
          },
        )
      : [],
  )
