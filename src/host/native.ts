/** What only the executable does: no page needs it, so it has no second implementation. */
import { Script } from 'node:vm'

/** A computation was stopped. */
export class TookTooLong extends Error {}

const computation = Symbol.for('svc.computation')
const begin = new Script(`globalThis[Symbol.for('${computation.description}')]()`)

/**
 * What a computation gives that never waits; it is stopped where it takes too long, whatever it is at.
 * @throws TookTooLong
 */
export function withinTime<T>(ms: number, compute: () => T): T {
  const world = globalThis as { [computation]?: () => T }
  const around = world[computation]
  world[computation] = compute
  try {
    return begin.runInThisContext({ timeout: ms }) as T
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new TookTooLong()
    throw error
  } finally {
    if (around === undefined) delete world[computation]
    else world[computation] = around
  }
}

/** The SHA-256 of a text in UTF-8, in base64. */
export const sha256Base64 = (text: string): string => new Bun.CryptoHasher('sha256').update(text).digest('base64')

/** The HMAC (RFC 2104) with SHA-256 of a text in UTF-8, as 64 hexadecimal digits. */
export const hmacSha256 = (key: string | Uint8Array, text: string): string =>
  new Bun.CryptoHasher('sha256', key).update(text).digest('hex')

/** A text in UTF-8, or bytes, as gzip (RFC 1952). */
export const gzip = (data: string | Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  Bun.gzipSync(data, { level: 6 })

/** Bytes as Zstandard (RFC 8878), quickly. */
export const zstd = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Bun.zstdCompressSync(bytes, { level: 3 }))

/** What `zstd` made small. @throws Error for other bytes */
export const unzstd = async (bytes: Uint8Array): Promise<Uint8Array> => Bun.zstdDecompress(new Uint8Array(bytes))

/** The UTF-8 of a text. */
export const utf8 = (text: string): Uint8Array => Buffer.from(text)

/** How many columns a text takes in a terminal: some characters take two, some none. */
export const terminalWidth = (text: string): number => Bun.stringWidth(text)

/** Markdown (CommonMark with the tables, links and lists of GFM) as HTML. Sanitize the HTML before you show it. */
export const markdownToHtml = (markdown: string): string => Bun.markdown.html(markdown, { autolinks: true })
