/** A URL in parts, normalised by RFC 3986, section 6.2.2, without the slash at its end. */
export interface UrlParts {
  /** In lower case; null where the URL does not say it. */
  readonly scheme: string | null
  /** Host and port in lower case, without the default port; null for a URL relative to the document. */
  readonly authority: string | null
  readonly path: string
}

const unreserved = /[A-Za-z0-9\-._~]/
const ports: Readonly<Record<string, string>> = { http: ':80', https: ':443', ws: ':80', wss: ':443' }

const decodeUnreserved = (text: string): string =>
  text.replaceAll(/%([0-9a-fA-F]{2})/g, (escape, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16))
    return unreserved.test(character) ? character : escape.toUpperCase()
  })

const withoutDots = (path: string): string => {
  const steps: string[] = []
  for (const step of path.split('/'))
    if (step === '..') {
      if (steps.length > 1) steps.pop()
    } else if (step !== '.') steps.push(step)
  return steps.join('/')
}

/** A path in its one spelling: characters beyond ASCII are escaped as UTF-8 (RFC 3987, section 3.1), and none that need not be. */
export const normalPath = (path: string): string =>
  decodeUnreserved(path.toWellFormed().replaceAll(/[\u{80}-\u{10ffff}]+/gu, encodeURIComponent))

/** Reads a URL or a template of one. */
export const readUrl = (text: string): UrlParts => {
  const [, scheme, authority, rest = ''] =
    /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?(.*)$/s.exec(text.trim()) ?? []
  const lower = scheme?.toLowerCase() ?? null
  const port = lower === null ? undefined : ports[lower]
  const host = authority?.toLowerCase()
  const path = withoutDots(normalPath(rest))
  return {
    scheme: lower,
    authority:
      host === undefined ? null : port !== undefined && host.endsWith(port) ? host.slice(0, -port.length) : host,
    path: path.replace(/\/$/, ''),
  }
}

/** A URL in its one spelling. */
export const normalUrl = (text: string): string => {
  const { scheme, authority, path } = readUrl(text)
  return `${scheme === null ? '' : `${scheme}:`}${authority === null ? '' : `//${authority}`}${path}`
}
