import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { PackIndex, PackedFile } from '../../web/pack.ts'
import { plainBytes, readPackIndex } from '../../web/pack.ts'
import { openPack } from './open-pack.ts'

/** The policy of the application: everything from this origin, no inline script or style, in no one's frame. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** The built web files, ready to be answered. */
export interface Web {
  /**
   * Answers GET and HEAD for `/app` and what is below it: files by their names; any other path gets the application's
   * page, which routes it (RFC 9110: ETag and If-None-Match, Vary). Below `/docs` the documentation, with a page of its
   * own for what does not exist. At `/play` the playground. Null for every other path, and for a file below `/app/assets/` that this build does
   * not have: the caller answers 404.
   */
  serve(request: Request): Response | null
  readonly entries: PackIndex['entries']
  /** The playground: one HTML file that loads nothing. */
  playground(): Promise<string>
}

/** Whether a client takes brotli: named, and not with a weight of zero (RFC 9110, 12.5.3). */
const takesBrotli = (accepted: string | null): boolean =>
  (accepted ?? '').split(',').some((part) => {
    const [coding, ...parameters] = part.split(';').map((it) => it.trim().toLowerCase())
    return coding === 'br' && !parameters.some((it) => /^q=0(\.0*)?$/.test(it))
  })

const matches = (condition: string | null, etag: string): boolean =>
  (condition ?? '').split(',').some((it) => {
    const tag = it.trim()
    return tag === '*' || tag === etag || tag === `W/${etag}`
  })

const decompress = promisify(brotliDecompress)

/** The plain form of a file that is stored as brotli, for clients that do not take it. */
const decompressed = (file: PackedFile, bytes: Blob): ReadableStream<Uint8Array> =>
  new ReadableStream({
    async pull(controller) {
      controller.enqueue(await plainBytes(file, bytes, decompress))
      controller.close()
    },
  })

const answer = (file: PackedFile, bytes: Blob, request: Request, status = 200): Response => {
  const brotli = file.brotli && takesBrotli(request.headers.get('accept-encoding')) ? file.brotli : null
  const etag = `"${file.hash}${brotli ? '-br' : ''}"`
  const headers = new Headers({
    etag,
    vary: 'Accept-Encoding',
    'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    'content-security-policy': file.policy ?? policy,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  })
  if (matches(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers })
  headers.set('content-type', file.type)
  if (brotli) headers.set('content-encoding', 'br')
  const stored = brotli ?? file.plain
  if (stored !== null) headers.set('content-length', String(stored.length))
  if (request.method === 'HEAD') return new Response(null, { status, headers })
  const body = stored === null ? decompressed(file, bytes) : bytes.slice(stored.offset, stored.offset + stored.length)
  return new Response(body, { status, headers })
}

/** A path without percent-encoding (RFC 3986 section 2.1); null if it is malformed. */
const decoded = (pathname: string): string | null => {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return null
  }
}

/** The file of the documentation site at an address: `/docs/guides/ci` is the page `docs/guides/ci.html`. */
const docsFile = (index: PackIndex, pathname: string): PackedFile | undefined => {
  const path = decoded(pathname)
  if (path === null) return undefined
  const name = path.replace(/^\/docs\/?/, '').replace(/\/$|\.html$/, '')
  const candidates = name === '' ? ['docs/index.html'] : [`docs/${name}.html`, `docs/${name}`]
  const found = candidates.find((it) => Object.hasOwn(index.files, it))
  return found === undefined ? undefined : index.files[found]
}

const serveFrom = (index: PackIndex, bytes: Blob) => {
  return (request: Request): Response | null => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return null
    const { pathname } = new URL(request.url)
    if (pathname === '/docs' || pathname.startsWith('/docs/')) {
      const page = docsFile(index, pathname)
      if (page) return answer(page, bytes, request)
      const missing = index.files['docs/404.html']
      return missing ? answer(missing, bytes, request, 404) : null
    }
    if (pathname === '/play') {
      const page = index.files['playground.html']
      return page ? answer(page, bytes, request) : null
    }
    if (pathname !== '/app' && !pathname.startsWith('/app/')) return null
    const name = pathname.slice('/app/'.length)
    const named = Object.hasOwn(index.files, name) ? index.files[name] : undefined
    if (named) return answer(named, bytes, request)
    if (name.startsWith('assets/')) return null
    const shell = index.files['index.html']
    return shell ? answer(shell, bytes, request) : null
  }
}

let opening: Promise<Web> | undefined

/** Opens the built web files, once a process; from source the first use may build them, which takes seconds. */
export const openWeb = (): Promise<Web> => {
  opening ??= openPack().then(async (pack) => {
    const { index, start } = await readPackIndex(pack)
    const bytes = pack.slice(start)
    const playground = async (): Promise<string> => {
      const page = index.files['playground.html']
      if (page === undefined) throw new Error('The web files have no playground.')
      return new TextDecoder().decode(await plainBytes(page, bytes, decompress))
    }
    return { serve: serveFrom(index, bytes), entries: index.entries, playground }
  })
  // A failed build must not be remembered: the next request tries again.
  opening.catch(() => (opening = undefined))
  return opening
}
