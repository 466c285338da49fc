import type { Operation } from '../diff/model/api.ts'
import { isObject, type Json } from '../kernel/json.ts'
import type { Specification } from './specification.ts'

/** Values of path parameters, as written in the path. */
export type PathValues = ReadonlyMap<string, string>

export type PathMatch =
  | { readonly kind: 'operation'; readonly operation: Operation; readonly values: PathValues }
  | { readonly kind: 'no-path' }
  | { readonly kind: 'no-method'; readonly templates: readonly string[] }
  | { readonly kind: 'ambiguous'; readonly templates: readonly string[] }

interface Fit {
  readonly template: string
  /** One for each segment: literal before partly templated before a parameter alone. */
  readonly rank: string
  readonly values: PathValues
}

const decode = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

const compiled = new Map<string, { readonly pattern: RegExp; readonly names: readonly string[] }>()

const compile = (segment: string) => {
  const known = compiled.get(segment)
  if (known) return known
  const names: string[] = []
  const source = segment
    .split(/(\{[^}]*\})/)
    .map((part) => {
      if (!/^\{[^}]*\}$/.test(part)) return part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
      names.push(part.slice(1, -1))
      return '(.+?)'
    })
    .join('')
  const made = { pattern: new RegExp(`^${source}$`, 's'), names }
  if (compiled.size > 5000) compiled.clear()
  compiled.set(segment, made)
  return made
}

const fitOf = (template: string, segments: readonly string[]): Fit | null => {
  const parts = template.split('/')
  if (parts.length !== segments.length) return null
  const values = new Map<string, string>()
  let rank = ''
  for (const [i, part] of parts.entries()) {
    const given = segments[i]!
    if (!part.includes('{')) {
      if (part !== given && decode(part) !== decode(given)) return null
      rank += 'a'
      continue
    }
    if (given === '') return null
    const { pattern, names } = compile(part)
    const match = pattern.exec(decode(given))
    if (!match) return null
    for (const [n, name] of names.entries()) values.set(name, match[n + 1] ?? '')
    rank += /^\{[^}]*\}$/.test(part) ? 'c' : 'b'
  }
  return { template, rank, values }
}

const index = new WeakMap<Specification, ReadonlyMap<number, readonly string[]>>()

const byLength = (specification: Specification): ReadonlyMap<number, readonly string[]> => {
  const known = index.get(specification)
  if (known) return known
  const made = new Map<number, string[]>()
  for (const template of specification.templates) {
    const length = template.split('/').length
    const list = made.get(length)
    if (list) list.push(template)
    else made.set(length, [template])
  }
  index.set(specification, made)
  return made
}

const fitsOf = (specification: Specification, path: string): readonly Fit[] => {
  const segments = path.split('/')
  return (byLength(specification).get(segments.length) ?? []).flatMap((it) => fitOf(it, segments) ?? [])
}

/** The paths that a request's path may mean: itself, then without the path of a server. */
const readings = (specification: Specification, path: string): readonly string[] => [
  path,
  ...specification.prefixes
    .filter((prefix) => path === prefix || path.startsWith(`${prefix}/`))
    .map((prefix) => path.slice(prefix.length) || '/'),
]

/** Whether a text can be a value of a simple schema, as a path or a query writes it. */
const fitsType = (schema: Json | undefined, text: string): boolean => {
  if (!isObject(schema)) return true
  const types = typeof schema.type === 'string' ? [schema.type] : Array.isArray(schema.type) ? schema.type : []
  if (types.length === 0) return true
  if (Array.isArray(schema.enum) && !schema.enum.some((it) => String(it) === text)) return false
  return types.some((type) => {
    if (type === 'integer') return /^[-+]?\d+$/.test(text)
    if (type === 'number') return text.trim() !== '' && Number.isFinite(Number(text))
    if (type === 'boolean') return text === 'true' || text === 'false'
    return true
  })
}

const misfits = (specification: Specification, operation: Operation, values: PathValues): number =>
  [...operation.parameters.values()].filter((it) => {
    const value = it.in === 'path' ? values.get(it.name) : undefined
    return value !== undefined && it.schema && !fitsType(specification.side.follow(it.schema).value, value)
  }).length

const choose = (specification: Specification, fits: readonly Fit[], method: string): PathMatch => {
  const wanted = method.toUpperCase()
  const able = fits.flatMap((fit) => {
    const operation = specification.operationsAt(fit.template).find((it) => it.method.toUpperCase() === wanted)
    return operation ? [{ ...fit, operation }] : []
  })
  if (able.length === 0) return { kind: 'no-method', templates: fits.map((it) => it.template) }
  const first = able.map((it) => it.rank).sort()[0]
  const best = able.filter((it) => it.rank === first)
  const scored = best.map((it) => ({ ...it, misfits: misfits(specification, it.operation, it.values) }))
  const least = Math.min(...scored.map((it) => it.misfits))
  const [only, other] = scored.filter((it) => it.misfits === least)
  if (only && !other) return { kind: 'operation', operation: only.operation, values: only.values }
  return { kind: 'ambiguous', templates: best.map((it) => it.template) }
}

/**
 * Finds the operation that answers a request. Concrete segments win over templated ones (OpenAPI 3.1, section 4.8.8.2);
 * among templates of one shape the types of their parameters decide.
 *
 * @param path the path of the request, without its query
 */
export const matchPath = (specification: Specification, method: string, path: string): PathMatch => {
  let seen: PathMatch = { kind: 'no-path' }
  for (const reading of readings(specification, path)) {
    let fits = fitsOf(specification, reading)
    if (fits.length === 0 && reading.length > 1 && reading.endsWith('/'))
      fits = fitsOf(specification, reading.slice(0, -1))
    if (fits.length === 0) continue
    const match = choose(specification, fits, method)
    if (match.kind === 'operation' || match.kind === 'ambiguous') return match
    if (seen.kind === 'no-path') seen = match
  }
  return seen
}
