/** SHA-256 of the files of a release. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

/** The digest of a file, in hexadecimal digits. */
export async function digestOfFile(path: string, algorithm: 'sha256' | 'sha512' = 'sha256'): Promise<string> {
  const hash = createHash(algorithm)
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** The digest of bytes, in hexadecimal digits. */
export const digestOf = (bytes: Uint8Array, algorithm: 'md5' | 'sha1' | 'sha256' = 'sha256'): string =>
  createHash(algorithm).update(bytes).digest('hex')

/** As `sha256sum --check` reads it, sorted by name. */
export const checksums = (digests: ReadonlyMap<string, string>): string =>
  [...digests]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, digest]) => `${digest}  ${name}\n`)
    .join('')

/** The hexadecimal SHA-512 of an `integrity` of package-lock.json (Subresource Integrity). */
export function sha512Of(integrity: string): string {
  const [, text] = /(?:^|\s)sha512-([A-Za-z0-9+/]+=*)/.exec(integrity) ?? []
  if (text === undefined) throw new Error(`"${integrity}" has no SHA-512.`)
  return Buffer.from(text, 'base64').toString('hex')
}
