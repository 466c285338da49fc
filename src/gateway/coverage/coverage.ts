/** Which operations of a document were called, and what was called that it does not have. */

/** An operation of a document. */
export interface Declared {
  readonly method: string
  readonly path: string
  readonly operationId: string | null
  readonly deprecated: boolean
}

/** Calls that a gateway counted, by template, or by the shape of their path where it knew none. */
export interface Seen {
  readonly method: string
  readonly route: string | null
  readonly pathShape: string | null
  readonly count: number
  readonly firstAt: string
  readonly lastAt: string
}

export interface Calls {
  readonly count: number
  readonly firstAt: string | null
  readonly lastAt: string | null
}
export type CoveredOperation = Declared & Calls

/** Calls of what the document does not have. */
export interface Undeclared extends Calls {
  readonly method: string
  /** Below the prefix, as a document would write it: "/pets/{id}". */
  readonly path: string
  /** `method`: the document has the path without this method. `outside`: it is not below the prefix of the binding. */
  readonly kind: 'path' | 'method' | 'outside'
}

export interface Coverage {
  readonly operations: readonly CoveredOperation[]
  readonly undeclared: readonly Undeclared[]
  /** Calls of paths beyond those that are kept apart. */
  readonly otherCalls: number
}

/** A template without the names of its parameters. */
export const shapeOfTemplate = (path: string): string =>
  path.replaceAll(/\{[^{}/]*\}/g, '{id}').replace(/(?<=.)\/$/, '')

/** A segment with a parameter in it, as "v{n}.json", is a value to anyone who sees paths only. */
const coarse = (path: string): string =>
  shapeOfTemplate(path)
    .split('/')
    .map((it) => (it.includes('{id}') ? '{id}' : it))
    .join('/')

const keyOf = (method: string, path: string): string => `${method} ${path}`

/** A path without its prefix; null: it has none of them. */
function pathBelow(path: string, prefixes: readonly string[]): string | null {
  if (prefixes.length === 0) return path
  const prefix = prefixes
    .toSorted((a, b) => b.length - a.length)
    .find((it) => path === it || path.startsWith(it.endsWith('/') ? it : `${it}/`))
  return prefix === undefined ? null : `/${path.slice(prefix.length).replace(/^\//, '')}`
}

interface Sum {
  count: number
  firstAt: string | null
  lastAt: string | null
}
const add = (it: Sum, { count, firstAt, lastAt }: Seen): void => {
  it.count += count
  if (it.firstAt === null || firstAt < it.firstAt) it.firstAt = firstAt
  if (it.lastAt === null || lastAt > it.lastAt) it.lastAt = lastAt
}

/**
 * Compares what was called with what is declared.
 * @param prefixes what paths at the gateway begin with before those of the document; none: nothing
 * @param other how calls of further paths are named
 */
export function coverageOf(
  declared: readonly Declared[],
  seen: readonly Seen[],
  { prefixes, other }: { readonly prefixes: readonly string[]; readonly other: string },
): Coverage {
  const sums = new Map<Declared, Sum>(declared.map((it) => [it, { count: 0, firstAt: null, lastAt: null }]))
  const byTemplate = new Map(declared.map((it) => [keyOf(it.method, it.path), it]))
  const byShape = new Map(declared.toReversed().map((it) => [keyOf(it.method, coarse(it.path)), it]))
  const paths = new Set(declared.map(({ path }) => coarse(path)))
  const undeclared = new Map<string, Sum & Pick<Undeclared, 'method' | 'path' | 'kind'>>()
  let otherCalls = 0
  for (const it of seen) {
    const { method, route, pathShape } = it
    if (route === null && pathShape === other) {
      otherCalls += it.count
      continue
    }
    const whole = shapeOfTemplate(route ?? pathShape ?? '/')
    const below = route === null ? pathBelow(whole, prefixes) : whole
    const isBelow = below !== null
    const path = below ?? whole
    // A server answers HEAD where it answers GET (RFC 9110, section 9.3.2).
    const found = [method, ...(method === 'HEAD' ? ['GET'] : [])]
      .map(
        (one) =>
          (route === null ? undefined : byTemplate.get(keyOf(one, route))) ?? byShape.get(keyOf(one, coarse(path))),
      )
      .find((one) => one !== undefined)
    const sum = isBelow && found !== undefined ? sums.get(found) : undefined
    if (sum !== undefined) {
      add(sum, it)
      continue
    }
    const isKnownPath = isBelow && paths.has(coarse(path))
    // Browsers ask for leave with OPTIONS; a document rarely says so.
    if (method === 'OPTIONS' && isKnownPath) continue
    const key = keyOf(isBelow ? method : `outside ${method}`, path)
    const one = undeclared.get(key) ?? {
      method,
      path,
      kind: !isBelow ? ('outside' as const) : isKnownPath ? ('method' as const) : ('path' as const),
      count: 0,
      firstAt: null,
      lastAt: null,
    }
    undeclared.set(key, one)
    add(one, it)
  }
  return {
    operations: [...sums].map(([it, calls]) => ({ ...it, ...calls })),
    undeclared: [...undeclared.values()].toSorted(
      (a, b) => b.count - a.count || (keyOf(a.path, a.method) < keyOf(b.path, b.method) ? -1 : 1),
    ),
    otherCalls,
  }
}
