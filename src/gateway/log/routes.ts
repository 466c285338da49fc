/** From the path of a request to the operation of the document. */

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

/**
 * @param routes of a release, in its order: the first that fits is the route, so that "/pets/mine" is not "/pets/{id}"
 */
export function routesOf(routes: readonly Route[]): Routes {
  const byMethod = new Map<string, { template: string; pattern: RegExp }[]>()
  const segments = new Set<string>()
  for (const it of routes) {
    for (const segment of it.route.split('/')) if (segment !== '' && !segment.includes('{')) segments.add(segment)
    const pattern = compile(it.pattern)
    if (pattern === null) continue
    const method = it.method.toUpperCase()
    byMethod.set(method, [...(byMethod.get(method) ?? []), { template: it.route, pattern }])
  }
  return {
    segments,
    find: (method, path) => {
      const sent = sentPath(path)
      // Longer paths cost time and belong to no operation.
      if (sent.length > 8192) return null
      return byMethod.get(method)?.find(({ pattern }) => pattern.test(sent))?.template ?? null
    },
  }
}

const methods = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'QUERY',
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
