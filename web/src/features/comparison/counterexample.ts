import type { Change } from './queries.ts'

/** A counterexample as it goes over the wire. */
export interface Message {
  /** "POST /pets HTTP/1.1", "HTTP/1.1 200". */
  readonly start: string
  readonly headers: readonly string[]
  /** Undefined: there is none. */
  readonly body?: unknown
}

const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

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
  return { start: `${method} ${target} HTTP/1.1`, headers }
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
  const isComponent = steps[0] === 'components' || steps[0] === 'definitions'
  const media = content === -1 ? 'application/json' : (steps[content + 1] ?? 'application/json')
  const headers = [`Content-Type: ${media}`]
  if (direction === 'request') return { start: `${method} ${path} HTTP/1.1`, headers, body: value }
  const declared = isComponent ? '' : (steps[steps.indexOf('responses') + 1] ?? '')
  const status = /^\d{3}$/.test(declared) ? declared : '200'
  return { start: `HTTP/1.1 ${status}`, headers, body: value }
}
