/** What makes an exception too wide, and what it applies to. */
import { groupIds, groupOf } from './catalogue.ts'
import { all, any, type Truth } from './evaluate.ts'
import { exceptionState, type Exception, type ExceptionScope, type ExceptionTarget } from './model.ts'
import { isOdd, readingsOf } from './path-reading.ts'

export const longestExceptionMs = 30 * 24 * 3_600_000
/** Exceptions that end within it need no second person, as far as their length is concerned. */
export const shortExceptionMs = 24 * 3_600_000

export const exceptionRefusals = [
  'exception-invalid',
  'exception-unbounded',
  'exception-too-long',
  'exception-unscoped',
] as const
export type ExceptionRefusal = (typeof exceptionRefusals)[number]

/** An exception as a client proposes it. */
export interface ProposedException {
  readonly scope: ExceptionScope
  readonly target: ExceptionTarget
  readonly reason: string
  readonly expiresAt: string | null
}
type Refusals = { readonly code: ExceptionRefusal; readonly reason: string }[]

const segmentsOf = (path: string): string[] => path.split('/').slice(1)
const isParameter = (segment: string): boolean => /^\{[^{}]+\}$/.test(segment)

function routeProblem(route: string): string | null {
  if (!route.startsWith('/') || /[?#\s]/.test(route))
    return `"${route}" is not the template of a path, as "/pets/{petId}"`
  return null
}

function pathProblem(path: string): string | null {
  const base = path.endsWith('/*') ? path.slice(0, -1) : path
  if (!path.startsWith('/') || /[*?#;\s%\\]/.test(base))
    return `"${path}" is not a path in the form that engines compare: decoded, without query, with "*" at the end only, as "/files/*"`
  return /(?:^|\/)\.{1,2}(?:\/|$)|\/\/./.test(path) ? `"${path}" has empty or dot segments, which engines remove` : null
}

function fieldProblem(field: string): string | null {
  const invalid = `"${field}" is not a field; write query:NAME, header:NAME, cookie:NAME or json:/POINTER with * for a segment`
  const found = /^(query|header|cookie|json):(.+)$/su.exec(field)
  if (found === null || /[\p{Cc}]/u.test(field)) return invalid
  const [, kind, name = ''] = found
  if (kind !== 'json') return name === '*' ? 'an exception names one field; leave the field out to mean all' : null
  if (!name.startsWith('/')) return invalid
  return segmentsOf(name).every((it) => it === '*') ? 'the pointer of a field names at least one property' : null
}

/** Whether a template or path names no place: it has no segment that every request to it must have. */
const namesNothing = ({ route, path }: ExceptionScope): boolean => {
  if (route !== null) return route !== '/' && segmentsOf(route).every((it) => it === '' || isParameter(it))
  return path === '/*'
}

function scopeRefusals(scope: ExceptionScope): Refusals {
  const { route, path, method, field } = scope
  if ((route === null) === (path === null)) {
    const isBoth = route !== null
    const reason = isBoth ? 'give a route or a path, not both' : 'it names neither a route nor a path'
    return [{ code: isBoth ? 'exception-invalid' : 'exception-unscoped', reason }]
  }
  const problems = [
    route === null ? null : routeProblem(route),
    path === null ? null : pathProblem(path),
    method === null || /^[A-Z][A-Z0-9_-]{0,31}$/.test(method)
      ? null
      : `"${method}" is not a method of HTTP in capitals`,
    field === null ? null : fieldProblem(field),
  ].flatMap((reason): Refusals => (reason === null ? [] : [{ code: 'exception-invalid', reason }]))
  const wide: Refusals =
    problems.length === 0 && namesNothing(scope)
      ? [{ code: 'exception-unscoped', reason: `"${route ?? path ?? ''}" is every path` }]
      : []
  return [...problems, ...wide]
}

function targetRefusals({ groups, ruleRefs }: ExceptionTarget): Refusals {
  if (groups.length === 0 && ruleRefs.length === 0)
    return [{ code: 'exception-unscoped', reason: 'it names no group and no rule' }]
  const unknown = groups.filter((it) => groupOf(it) === undefined)
  if (unknown.length > 0) return [{ code: 'exception-invalid', reason: `"${unknown[0]}" is not a managed group` }]
  const wrong = ruleRefs.find((it) => !/^(?:crs:\d{1,9}|rule:[\w-]{1,64}|positive:[A-Za-z]{1,32})$/.test(it))
  if (wrong !== undefined)
    return [
      { code: 'exception-invalid', reason: `"${wrong}" is not a rule; write crs:942100, rule:ID or positive:CHECK` },
    ]
  return groupIds.every((it) => groups.includes(it))
    ? [{ code: 'exception-unscoped', reason: 'it names all managed groups' }]
    : []
}

/**
 * What stops an exception.
 * @param now as an ISO text in UTC
 * @returns every refusal that applies; empty for one that is scoped and bounded
 */
export function exceptionRefusalsOf({ scope, target, expiresAt }: ProposedException, now: string): Refusals {
  const bounds: Refusals = []
  if (expiresAt === null) bounds.push({ code: 'exception-unbounded', reason: 'it has no end' })
  else {
    const ms = Date.parse(expiresAt) - Date.parse(now)
    if (!(ms > 0)) bounds.push({ code: 'exception-invalid', reason: 'its end is not in the future' })
    else if (ms > longestExceptionMs)
      bounds.push({ code: 'exception-too-long', reason: `it would end after ${Math.ceil(ms / 86_400_000)} days` })
  }
  return [...scopeRefusals(scope), ...targetRefusals(target), ...bounds]
}

/** Whether a path in the scope covers what a template describes. */
function coversRoute(pattern: string, route: string): Truth {
  const isPrefix = pattern.endsWith('/*')
  const wanted = segmentsOf(isPrefix ? pattern.slice(0, -2) : pattern)
  const given = segmentsOf(route)
  if (isPrefix ? given.length <= wanted.length : given.length !== wanted.length) return false
  return all(
    wanted.map((segment, index): Truth => {
      const other = given[index] ?? ''
      // A segment with a parameter in it is or is not this one.
      return other.includes('{') ? 'unknown' : other === segment
    }),
  )
}

/** Whether all readings of a path are covered. */
function coversPath(pattern: string, path: string): boolean {
  const { texts, isUnclear } = readingsOf(path)
  const covers = (it: string): boolean =>
    pattern.endsWith('/*') ? it.startsWith(pattern.slice(0, -1)) && it.length >= pattern.length : it === pattern
  return !isUnclear && texts.every(covers)
}

function coversField(pattern: string, field: string): boolean {
  if (!pattern.startsWith('json:'))
    return pattern.startsWith('header:') ? pattern.toLowerCase() === field.toLowerCase() : pattern === field
  if (!field.startsWith('json:')) return false
  const wanted = segmentsOf(pattern.slice(5))
  const given = segmentsOf(field.slice(5))
  return wanted.length === given.length && wanted.every((it, index) => it === '*' || it === given[index])
}

/** One match of a rule in a request. What is undefined was not recorded. */
export interface MatchInRequest {
  readonly ruleRef: string
  readonly groupId: string | null
  /** The field it was found in; null: in no field. */
  readonly field?: string | null
  readonly method?: string
  /** The template of the operation; null: no operation. */
  readonly route?: string | null
  /** As it was sent. */
  readonly path?: string
}

function placeMeets({ route, path }: ExceptionScope, request: MatchInRequest): Truth {
  if (route !== null)
    return request.route === undefined ? 'unknown' : request.route === route && !isOdd(request.path ?? '/')
  if (path === null) return false
  if (request.path !== undefined) return coversPath(path, request.path)
  return typeof request.route === 'string' ? coversRoute(path, request.route) : 'unknown'
}

/** Whether an exception covers a match, whatever the time. */
export function covers({ scope, target }: Pick<Exception, 'scope' | 'target'>, request: MatchInRequest): Truth {
  const isTarget = target.ruleRefs.includes(request.ruleRef) || target.groups.some((group) => group === request.groupId)
  const method: Truth =
    scope.method === null
      ? true
      : request.method === undefined
        ? 'unknown'
        : request.method.toUpperCase() === scope.method
  const field: Truth =
    scope.field === null
      ? true
      : request.field === undefined
        ? 'unknown'
        : request.field !== null && coversField(scope.field, request.field)
  return all([isTarget, placeMeets(scope, request), method, field])
}

/** Whether any exception that is active at the instant covers the match. */
export const isExempt = (exceptions: readonly Exception[], it: MatchInRequest, at: string): Truth =>
  any(exceptions.filter((one) => exceptionState(one, at) === 'active').map((one) => covers(one, it)))
