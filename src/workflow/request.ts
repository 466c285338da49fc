/** The request that a step makes of an operation. */
import type { Json, JsonObject } from '../kernel/json.ts'
import { RequestImpossible } from './faults.ts'
import { answerKeys, derefObject, parametersOf, serverOf, type Called, type DeclaredParameter } from './openapi.ts'
import { isSameParameter } from './parameters.ts'
import type { Body } from './payload.ts'
import type { Message } from './scope.ts'
import { headerText, pathText, queryEntries } from './serialize.ts'

/** A parameter of a step, with its value. */
export interface GivenParameter {
  readonly name: string
  /** "" where the step does not say. */
  readonly in: string
  readonly value: Json
}

/** A request, ready to be sent. */
export interface Request {
  readonly method: string
  readonly url: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string | null
}

const find = (declared: readonly DeclaredParameter[], given: GivenParameter): DeclaredParameter =>
  declared.find((it) => isSameParameter(it, given)) ?? { ...given, required: false, value: {} }

/**
 * The address that requests of a source begin with.
 * @param chosen what the person who runs the workflow chose for this source; null for the first server of the description
 * @param otherwise the server where the description names none; null where there has to be one
 * @throws RequestImpossible where there is none, or it is no address of HTTP
 */
export function baseOf(called: Called, address: string, chosen: string | null, otherwise: string | null = null): URL {
  const written = chosen ?? serverOf(called) ?? otherwise
  const how = `give one with --server ${called.source}=URL`
  if (written === null) throw new RequestImpossible(`The source "${called.source}" names no server; ${how}`)
  const base = /^https?:\/\//i.test(address) ? address : (otherwise ?? undefined)
  const url = URL.parse(written, base)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new RequestImpossible(
      `The server "${written}" of the source "${called.source}" is no address of HTTP; ${how}`,
    )
  return url
}

function pathIn(called: Called, declared: readonly DeclaredParameter[], given: readonly GivenParameter[]): string {
  return called.path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const parameter = given.find((it) => it.in === 'path' && it.name === name)
    if (parameter === undefined) throw new RequestImpossible(`The step does not set the path parameter "${name}"`)
    const text = pathText(find(declared, parameter), parameter.value)
    if (text === '' || text === '.' || text === '..')
      throw new RequestImpossible(`The path parameter "${name}" is "${text}", which would lead to another path`)
    return text
  })
}

function queryIn(declared: readonly DeclaredParameter[], given: readonly GivenParameter[]): string {
  const whole = given.find((it) => it.in === 'querystring')
  if (whole !== undefined)
    return typeof whole.value === 'string' ? whole.value : encodeURIComponent(JSON.stringify(whole.value))
  return given
    .filter((it) => it.in === 'query')
    .flatMap((it) => queryEntries(it.name, it.value, find(declared, it).value))
    .join('&')
}

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

function headersIn(declared: readonly DeclaredParameter[], given: readonly GivenParameter[]): [string, string][] {
  const headers = given
    .filter((it) => it.in === 'header')
    .map((it): [string, string] => [it.name, headerText(find(declared, it), it.value)])
  const cookies = given.filter((it) => it.in === 'cookie')
  if (cookies.length > 0)
    headers.push(['Cookie', cookies.map((it) => `${it.name}=${headerText(find(declared, it), it.value)}`).join('; ')])
  for (const [name, value] of headers)
    if (!headerName.test(name) || /[\r\n\0]/.test(value))
      throw new RequestImpossible(`The header "${name}" has characters that no header may have`)
  return headers
}

/** The media types of the answers of an operation, for the header Accept. */
function acceptOf(called: Called): string {
  const types = answerKeys(called).flatMap((key) => {
    const { responses } = called.operation as { readonly responses: JsonObject }
    return Object.keys(derefObject(called.root, derefObject(called.root, responses[key]).content))
  })
  return [...new Set(types.filter((it) => !it.includes('*'))), '*/*'].join(', ')
}

/**
 * Makes the request of a step.
 * @param base as `baseOf` gives it
 * @throws RequestImpossible
 */
export function requestOf(called: Called, base: URL, given: readonly GivenParameter[], body: Body | null): Request {
  const declared = parametersOf(called)
  const missing = given.find((it) => it.in === '')
  if (missing !== undefined) throw new RequestImpossible(`The parameter "${missing.name}" does not say where it goes`)
  const query = queryIn(declared, given)
  const url = new URL(base)
  url.pathname = `${base.pathname.replace(/\/$/, '')}${pathIn(called, declared, given)}`
  url.search = [base.search.slice(1), query].filter((it) => it !== '').join('&')
  url.hash = ''
  const headers = headersIn(declared, given)
  const names = new Set(headers.map(([name]) => name.toLowerCase()))
  if (!names.has('accept')) headers.push(['Accept', acceptOf(called)])
  if (body !== null && !names.has('content-type')) headers.push(['Content-Type', body.type])
  return { method: called.method, url: url.href, headers, body: body?.text ?? null }
}

/** A request as expressions see it. */
export function messageOf(request: Request, given: readonly GivenParameter[], body: Body | null): Message {
  const named = (place: string): Record<string, Json> =>
    Object.fromEntries(given.filter((it) => it.in === place).map((it) => [it.name, it.value]))
  const headers = Object.fromEntries(request.headers.map(([name, value]) => [name.toLowerCase(), value]))
  return { headers, query: named('query'), path: named('path'), body: body?.value }
}

/** The required parameters that a step does not give, and a required body. */
export function missingIn(called: Called, given: readonly GivenParameter[], body: Body | null): readonly string[] {
  const implied = ['accept', 'content-type', 'authorization']
  const parameters = parametersOf(called).filter(
    (it) =>
      it.required &&
      !(it.in === 'header' && implied.includes(it.name.toLowerCase())) &&
      !given.some((other) => isSameParameter(other, it)),
  )
  const required = derefObject(called.root, called.operation.requestBody).required === true
  return [
    ...parameters.map((it) => `The step does not set the required ${it.in} parameter "${it.name}"`),
    ...(required && body === null ? ['The step does not set the required body'] : []),
  ]
}
