import { SvcError, catalogue, type Code } from '../errors.ts'
import type { Endpoint } from './endpoint.ts'
import { textOrJson } from '../kernel/json.ts'

/** The parts of a call before types: what `Input<E>` is at run time. */
export interface AnyInput {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/** A call as HTTP wants it, without the base address. */
export interface WireRequest {
  readonly method: string
  /** Path and query, beginning with "/". */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | null
}

/** Fills the path template and writes query, headers and body as the endpoint declares them. */
export function toWire(endpoint: Endpoint, input: AnyInput): WireRequest {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = input.params?.[name]
    if (value === undefined || value === '')
      throw new SvcError('usage', { reason: `The value of "${name}" is missing.` })
    // Every URL parser folds these away, encoded or not: the request would reach another operation.
    if (value === '.' || value === '..')
      throw new SvcError('usage', { reason: `"${value}" cannot be the value of "${name}".` })
    return encodeURIComponent(textOrJson(value))
  })
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value === undefined || value === null) continue
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, textOrJson(one))
  }
  const headers: Record<string, string> = {
    accept: (endpoint.produces ?? ['application/json'])[0] ?? 'application/json',
  }
  for (const [name, value] of Object.entries(input.headers ?? {}))
    if (value !== undefined) headers[name] = textOrJson(value)
  const search = query.toString()
  const target = search === '' ? path : `${path}?${search}`
  if (endpoint.body === undefined || input.body === undefined)
    return { method: endpoint.method, target, headers, body: null }
  if (input.body instanceof Uint8Array) {
    headers['content-type'] ??= endpoint.accepts?.[0] ?? 'application/octet-stream'
    return { method: endpoint.method, target, headers, body: input.body }
  }
  headers['content-type'] ??= 'application/json'
  return { method: endpoint.method, target, headers, body: JSON.stringify(input.body) }
}

/** One entry of a 422 answer: where, what, and which kind of mistake. */
export interface ValidationEntry {
  readonly loc: readonly (string | number)[]
  readonly msg: string
  readonly type: string
}

/** A request that does not match its schema: 422 with the entries that say where. */
export class ValidationError extends SvcError<'request-invalid'> {
  readonly entries: readonly ValidationEntry[]
  constructor(entries: readonly ValidationEntry[]) {
    super('request-invalid')
    this.entries = entries
    const first = entries[0]
    if (first) this.message = `${first.loc.join('.')}: ${first.msg}`
  }
}

const isCode = (code: unknown): code is Code => typeof code === 'string' && Object.hasOwn(catalogue, code)

/** The `SvcError` of an error response; null where the body is not in the service's shape. */
export function errorFromWire(status: number, body: unknown): SvcError | null {
  const detail = (body as { detail?: unknown } | null)?.detail
  if (Array.isArray(detail) && status === 422) return new ValidationError(detail as ValidationEntry[])
  if (typeof detail !== 'object' || detail === null) return null
  const { code, message, hint: _hint, ...context } = detail as Record<string, unknown>
  if (!isCode(code)) return null
  const error = new SvcError(code, context)
  if (typeof message === 'string') error.message = message
  return error
}
