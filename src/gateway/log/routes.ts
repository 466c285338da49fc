/** From the path of a request to the operation of the document. */

/** An operation as a release lists it: its pattern is anchored with \A and \z, over the path decoded once. */
export interface Route {
  readonly method: string
  readonly route: string
  readonly pattern: string
}
export interface Routes {
  /** @returns the template; null: none fits */
  find(method: string, path: string): string | null
  /** Whether any method has the path. */
  readonly segments: ReadonlySet<string>
}

const parameters = (template: string): number => template.split('{').length - 1

/** The pattern of a release as one of JavaScript; null for one that JavaScript cannot read. */
function compile(pattern: string): RegExp | null {
  try {
    return new RegExp(pattern.replaceAll(String.raw`\A`, '^').replaceAll(String.raw`\z`, '$'), 's')
  } catch {
    return null
  }
}

/** Decodes a path once, as engines do: "%2f" is "/", a sign that is not an escape is kept. */
export function decodePath(uri: string): string {
  const [path = ''] = uri.split(/[?#]/, 1)
  const bytes = path.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return bytes
}

/**
 * Operations in the order in which they are asked: those with fewer parameters first, so that "/pets/mine" is not "/pets/{id}".
 * @param routes of a release
 */
export function routesOf(routes: readonly Route[]): Routes {
  const byMethod = new Map<string, { template: string; pattern: RegExp }[]>()
  const segments = new Set<string>()
  for (const it of routes.toSorted((a, b) => parameters(a.route) - parameters(b.route))) {
    for (const segment of it.route.split('/')) if (segment !== '' && !segment.includes('{')) segments.add(segment)
    const pattern = compile(it.pattern)
    if (pattern === null) continue
    const method = it.method.toUpperCase()
    byMethod.set(method, [...(byMethod.get(method) ?? []), { template: it.route, pattern }])
  }
  return {
    segments,
    find: (method, path) => {
      const decoded = decodePath(path)
      // Longer paths cost time and belong to no operation.
      if (decoded.length > 8192) return null
      return byMethod.get(method)?.find(({ pattern }) => pattern.test(decoded))?.template ?? null
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
