/** From the path of a request to the operation of the document. */
import { httpMethods } from '../../kernel/methods.ts'

/** An operation as a release lists it: its pattern is anchored with \A and \z, over the path as it was sent. */
export interface Route {
  readonly method: string
  readonly route: string
  readonly pattern: string
}
export interface Routes {
  /** @returns the template; null: none fits */
  find(method: string, path: string): string | null
  /** The fixed segments of all templates. */
  readonly segments: ReadonlySet<string>
}

/** The pattern of a release as one of JavaScript; null for one that JavaScript cannot read. */
function compile(pattern: string): RegExp | null {
  try {
    return new RegExp(pattern.replaceAll(String.raw`\A`, '^').replaceAll(String.raw`\z`, '$'), 's')
  } catch {
    return null
  }
}

/** The path as it was sent: without the address that a proxy's absolute form puts before it, and without the query. */
export const sentPath = (uri: string): string =>
  uri.replace(/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/, '').split(/[?#]/, 1)[0] ?? ''

interface Compiled {
  readonly template: string
  readonly pattern: RegExp
  readonly order: number
}
const byOrder = (a: Compiled, b: Compiled): number => a.order - b.order

/** Segments of a template that a path has to have as they are: patterns may take other characters in several forms. */
const fixedOf = (template: string): string[] => template.split('/').filter((it) => /^[\w-]+$/.test(it))

/** Routes of one method by their rarest fixed segment, so that a path meets few patterns; those without one are under "". */
class Index {
  readonly #by = new Map<string, Compiled[]>()

  constructor(routes: readonly Compiled[]) {
    const counts = new Map<string, number>()
    for (const { template } of routes)
      for (const it of new Set(fixedOf(template))) counts.set(it, (counts.get(it) ?? 0) + 1)
    for (const it of routes) {
      const [rarest = ''] = fixedOf(it.template).toSorted((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0))
      this.#by.set(rarest, [...(this.#by.get(rarest) ?? []), it])
    }
  }

  find(path: string): string | null {
    const segments = new Set(path.split('/'))
    const candidates = [...segments.add('')].flatMap((it) => this.#by.get(it) ?? [])
    return candidates.sort(byOrder).find(({ pattern }) => pattern.test(path))?.template ?? null
  }
}

/**
 * @param routes of a release, in its order: the first that fits is the route, so that "/pets/mine" is not "/pets/{id}"
 */
export function routesOf(routes: readonly Route[]): Routes {
  const byMethod = new Map<string, Compiled[]>()
  const segments = new Set<string>()
  for (const [order, it] of routes.entries()) {
    for (const segment of it.route.split('/')) if (segment !== '' && !segment.includes('{')) segments.add(segment)
    const pattern = compile(it.pattern)
    if (pattern === null) continue
    const method = it.method.toUpperCase()
    const known = byMethod.get(method) ?? []
    known.push({ template: it.route, pattern, order })
    byMethod.set(method, known)
  }
  const indexes = new Map([...byMethod].map(([method, all]) => [method, new Index(all)]))
  return {
    segments,
    find: (method, path) => {
      const sent = sentPath(path)
      // Longer paths cost time and belong to no operation.
      return sent.length > 8192 ? null : (indexes.get(method)?.find(sent) ?? null)
    },
  }
}

const methods = new Set([
  ...httpMethods,
  'PROPFIND',
  'PROPPATCH',
  'MKCOL',
  'COPY',
  'MOVE',
  'LOCK',
  'UNLOCK',
  'REPORT',
  'SEARCH',
  'PURGE',
  'LINK',
  'UNLINK',
  'DEBUG',
  'TRACK',
])
/** A method of HTTP; anything else becomes "OTHER", since a client may write what it likes. */
export const methodOf = (text: string): string => (methods.has(text.toUpperCase()) ? text.toUpperCase() : 'OTHER')
