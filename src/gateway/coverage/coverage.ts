/** Which operations of a document were called, and what was called that it does not have. */
import { pathShapeOf } from '../log/shape.ts'
import { compareText } from '../../kernel/order.ts'
import { escapePattern } from '../../kernel/text.ts'

/** An operation of a document. */
export interface Declared {
  readonly method: string
  readonly path: string
  readonly operationId: string | null
  readonly deprecated: boolean
  /** What its paths begin with at the gateway: those of its servers. A `{*}` is any text. Nothing is known where it is missing. */
  readonly prefixes?: readonly string[]
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
  /** What paths begin with before those of a document; "*" is any text. Empty: nothing. */
  readonly prefixes: readonly string[]
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

const open = '{*}'
const isPlain = (prefix: string): boolean => !prefix.includes(open)
/** A prefix as it is in the shape of a path: what may be a value in it is not kept. */
const shapeOfPrefix = (prefix: string): string => (prefix === '' ? '' : coarse(pathShapeOf(prefix)))

/** Finds operations by whole paths, below the prefixes that each of them has. */
class Places {
  private readonly byPath = new Map<string, Declared>()
  private readonly opened: { readonly prefix: RegExp; readonly byPath: ReadonlyMap<string, Declared> }[] = []
  /** Shapes of the prefixes without variables. */
  readonly prefixes: readonly string[]

  constructor(declared: readonly Declared[]) {
    const opened = new Map<string, Map<string, Declared>>()
    const prefixes = new Set<string>()
    for (const it of declared.toReversed())
      for (const prefix of it.prefixes ?? [])
        if (isPlain(prefix)) {
          prefixes.add(shapeOfPrefix(prefix))
          this.byPath.set(keyOf(it.method, coarse(shapeOfPrefix(prefix) + it.path)), it)
        } else {
          const known = opened.get(prefix) ?? new Map<string, Declared>()
          opened.set(prefix, known.set(keyOf(it.method, coarse(it.path)), it))
        }
    this.prefixes = [...prefixes]
    for (const [prefix, byPath] of opened) {
      const pattern = prefix
        .split(open)
        .map((it) => escapePattern(shapeOfPrefix(it)))
        .join('[^?#]*')
      this.opened.push({ prefix: new RegExp(`^${pattern}$`), byPath })
    }
  }

  find(method: string, path: string): Declared | undefined {
    return this.byPath.get(keyOf(method, path)) ?? this.findOpen(method, path)
  }

  private findOpen(method: string, path: string): Declared | undefined {
    // Where the prefix is the whole path, the operation is that of the root.
    for (const at of [...Array.from(path.matchAll(/\//g), ({ index }) => index), path.length])
      for (const { prefix, byPath } of this.opened) {
        const found = byPath.get(keyOf(method, path.slice(at) || '/'))
        if (found !== undefined && prefix.test(path.slice(0, at))) return found
      }
    return undefined
  }
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
 * Compares what was called with what is declared. Calls without a template are compared below the prefixes of each operation. Where no
 * call is below one, the gateway took them off already, and only those of `prefixes` count.
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
  const places = new Places(declared)
  const isInUse = seen.some(
    ({ route, pathShape }) =>
      route === null && pathShape !== other && pathBelow(pathShape ?? '/', places.prefixes) !== null,
  )
  const outer = isInUse ? [...places.prefixes, ...prefixes] : prefixes
  const undeclared = new Map<string, Sum & Pick<Undeclared, 'method' | 'path' | 'kind'>>()
  let otherCalls = 0
  for (const it of seen) {
    const { method, route, pathShape } = it
    if (route === null && pathShape === other) {
      otherCalls += it.count
      continue
    }
    const whole = shapeOfTemplate(route ?? pathShape ?? '/')
    const below = route === null ? pathBelow(whole, outer) : whole
    const isBelow = below !== null
    const path = below ?? whole
    // A server answers HEAD where it answers GET (RFC 9110, section 9.3.2).
    const methods = [method, ...(method === 'HEAD' ? ['GET'] : [])]
    const placed =
      route === null
        ? methods.map((one) => places.find(one, coarse(whole))).find((one) => one !== undefined)
        : undefined
    const found = methods
      .map(
        (one) =>
          (route === null ? undefined : byTemplate.get(keyOf(one, route))) ?? byShape.get(keyOf(one, coarse(path))),
      )
      .find((one) => one !== undefined)
    const isPlacedElsewhere = isInUse && route === null && found?.prefixes !== undefined
    const counted = placed ?? (isBelow && !isPlacedElsewhere ? found : undefined)
    const sum = counted === undefined ? undefined : sums.get(counted)
    if (sum !== undefined) {
      add(sum, it)
      continue
    }
    const isInside = isBelow && !isPlacedElsewhere
    const shown = isInside ? path : whole
    const isKnownPath = isInside && paths.has(coarse(path))
    // Browsers ask for leave with OPTIONS; a document rarely says so.
    if (method === 'OPTIONS' && isKnownPath) continue
    const key = keyOf(isInside ? method : `outside ${method}`, shown)
    const one = undeclared.get(key) ?? {
      method,
      path: shown,
      kind: !isInside ? ('outside' as const) : isKnownPath ? ('method' as const) : ('path' as const),
      count: 0,
      firstAt: null,
      lastAt: null,
    }
    undeclared.set(key, one)
    add(one, it)
  }
  const ofServers = isInUse ? declared.flatMap((it) => it.prefixes ?? []) : []
  return {
    prefixes: [...new Set([...ofServers, ...prefixes])].filter((it) => it !== '').map((it) => it.replaceAll(open, '*')),
    operations: [...sums].map(([it, calls]) => ({ ...it, ...calls })),
    undeclared: [...undeclared.values()].toSorted(
      (a, b) => b.count - a.count || compareText(keyOf(a.path, a.method), keyOf(b.path, b.method)),
    ),
    otherCalls,
  }
}
