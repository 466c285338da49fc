import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** The content codings answers are sent in, the better one first (RFC 9110, section 8.4; zstd: RFC 8878). */
const codings = ['zstd', 'gzip'] as const
export type Coding = (typeof codings)[number]

// Less than a packet: a coding would cost more than it saves.
const smallest = 1400
const gzipAsync = promisify(gzip)

/** The best coding a client names without refusing it by a weight of zero; null for none. */
export function chooseCoding(acceptEncoding: string | null): Coding | null {
  if (acceptEncoding === null || acceptEncoding === '') return null
  const taken = new Set(
    acceptEncoding.split(',').flatMap((part) => {
      const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
      return parameters.some((one) => /^q=0(?:\.0*)?$/.test(one)) ? [] : [name]
    }),
  )
  return codings.find((coding) => taken.has(coding)) ?? null
}

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
