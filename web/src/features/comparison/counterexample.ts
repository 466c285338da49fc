import type { Change } from './queries.ts'

/** A counterexample as it goes over the wire. */
export interface Message {
  /** "POST /pets HTTP/1.1", "HTTP/1.1 200". */
  readonly start: string
  readonly headers: readonly string[]
  /** Undefined: there is none. */
  readonly body?: unknown
  /** Where in a larger body the value is: "Pet"; "" where the body is all of it. */
  readonly within: string
}

const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

const branches = new Set(['allOf', 'anyOf', 'oneOf'])

/** A value in what leads to it from a schema: the properties and items of the pointer. */
const wrapped = (steps: readonly string[], value: unknown): unknown => {
  const [step, next, ...rest] = steps
  if (step === 'properties' && next !== undefined) return { [next]: wrapped(rest, value) }
  if (step === 'items') return [wrapped(steps.slice(1), value)]
  if (step === 'additionalProperties' && steps.length > 1) return { 'any-name': wrapped(steps.slice(1), value) }
  if (step !== undefined && branches.has(step) && next !== undefined) return wrapped(rest, value)
  return value
}

const parameter = /\b(query|path|header|cookie) parameter `([^`]+)`/i

const written = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

const ofParameter = (
  method: string,
  path: string,
  [, place = '', name = '']: RegExpMatchArray,
  value: unknown,
): Message => {
  const text = written(value)
  const where = place.toLowerCase()
  const targets: Readonly<Record<string, string>> = {
    query: `${path}?${encodeURIComponent(name)}=${encodeURIComponent(text)}`,
    path: path.replace(`{${name}}`, encodeURIComponent(text)),
  }
  const target = targets[where] ?? path
  const headerLines: Readonly<Record<string, string[]>> = {
    header: [`${name}: ${text}`],
    cookie: [`Cookie: ${name}=${text}`],
  }
  const headers = headerLines[where] ?? []
  return { start: `${method} ${target} HTTP/1.1`, headers, within: '' }
}

/**
 * The counterexample of a change as a request or a response of its operation. Null where it is of none: the value itself says
 * it all then.
 */
export const messageOf = (change: Change, value: unknown): Message | null => {
  const { direction, operations, message } = change
  const [only = ''] = operations
  const [method = '', path = ''] =
    change.method !== null && change.path !== null ? [change.method, change.path] : only.split(' ')
  if (direction === null || method === '' || path === '') return null
  const found = parameter.exec(message)
  if (found !== null && direction === 'request') return ofParameter(method, path, found, value)
  const steps = stepsOf((change.head ?? change.base)?.pointer ?? '')
  const content = steps.indexOf('content')
  const schema = steps.indexOf('schema')
  const isComponent = steps[0] === 'components' || steps[0] === 'definitions'
  const media = content === -1 ? 'application/json' : (steps[content + 1] ?? 'application/json')
  // "components/schemas/NAME" or "definitions/NAME".
  const nameAt = steps[0] === 'definitions' ? 1 : 2
  const within = isComponent ? (steps[nameAt] ?? '') : ''
  const begin = isComponent ? nameAt : schema
  const inner = begin === -1 ? [] : steps.slice(begin + 1)
  const body = wrapped(inner, value)
  const headers = [`Content-Type: ${media}`]
  if (direction === 'request') return { start: `${method} ${path} HTTP/1.1`, headers, body, within }
  const responses = steps.indexOf('responses')
  const status = /^\d{3}$/.test(steps[responses + 1] ?? '') && !isComponent ? (steps[responses + 1] ?? '200') : '200'
  return { start: `HTTP/1.1 ${status}`, headers, body, within }
}
