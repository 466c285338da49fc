import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** The content codings answers are sent in, the better one first (RFC 9110, section 8.4; zstd: RFC 8878). */
export const codings = ['zstd', 'gzip'] as const
export type Coding = (typeof codings)[number]

/** Less than a packet: a coding would cost more than it saves. */
export const smallest = 1400
const gzipAsync = promisify(gzip)

/** Whether a client names a coding without refusing it by a weight of zero. */
export const takesCoding = (acceptEncoding: string | null, coding: Coding): boolean =>
  (acceptEncoding ?? '').split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    return name === coding && !parameters.some((one) => /^q=0(?:\.0*)?$/.test(one))
  })

/** The best coding a client takes; null for none. */
export const chooseCoding = (acceptEncoding: string | null): Coding | null =>
  codings.find((coding) => takesCoding(acceptEncoding, coding)) ?? null

/**
 * The bytes in a coding; null where they are too few to gain from it.
 * @param effort `kept`: once for many readers, as small as reasonable; `once`: for this answer only, quickly
 */
export async function encodeBytes(
  bytes: Uint8Array<ArrayBuffer>,
  coding: Coding,
  effort: 'kept' | 'once' = 'kept',
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (bytes.byteLength < smallest) return null
  const quickly = effort === 'once'
  return new Uint8Array(
    coding === 'zstd'
      ? await Bun.zstdCompress(bytes, { level: quickly ? 3 : 9 })
      : await gzipAsync(bytes, { level: quickly ? 4 : 6 }),
  )
}
