/**
 * The built web files as one file, so that a compiled binary embeds one thing and needs no generated list of imports:
 * four bytes with the length of the index (little-endian), the index as JSON, then the bytes of all files.
 */

/** The position of one form of a file, counted from the end of the index. */
export interface Stretch {
  readonly offset: number
  readonly length: number
}

export interface PackedFile {
  /** The media type, with its charset. */
  readonly type: string
  /** Hex digest of the plain bytes: the base of both ETags. */
  readonly hash: string
  /** The name carries the digest: it never changes its content. */
  readonly immutable: boolean
  /** Its own Content-Security-Policy, where it is not that of the application. */
  readonly policy?: string
  /** The bytes as they are; null where the brotli form is smaller and there in their place. */
  readonly plain: Stretch | null
  readonly brotli: Stretch | null
}

/** What an HTML page must load to start one entry point, as paths below `/app/`. */
export interface Entry {
  readonly script: string
  readonly styles: readonly string[]
}

export interface PackIndex {
  /** Digest of everything the files were built from: equal digest, equal files. */
  readonly sources: string
  /** Keyed by path below `/app/`, as "assets/main-1x2y3z.js". */
  readonly files: Readonly<Record<string, PackedFile>>
  readonly entries: { readonly documentation: Entry; readonly portal: Entry; readonly app: Entry }
}

/** One file on its way into a pack. */
export interface Unpacked {
  readonly path: string
  readonly type: string
  readonly hash: string
  readonly immutable: boolean
  readonly policy?: string
  readonly plain: Uint8Array
  readonly brotli: Uint8Array | null
}

/** Writes a pack. The same input gives the same bytes. */
export const writePack = (
  files: readonly Unpacked[],
  entries: PackIndex['entries'],
  sources: string,
): Uint8Array<ArrayBuffer> => {
  const listed: Record<string, PackedFile> = {}
  const parts: Uint8Array[] = []
  let offset = 0
  const place = (bytes: Uint8Array): Stretch => {
    const stretch = { offset, length: bytes.length }
    parts.push(bytes)
    offset += bytes.length
    return stretch
  }
  for (const file of [...files].sort((a, b) => (a.path < b.path ? -1 : 1)))
    listed[file.path] = {
      type: file.type,
      hash: file.hash,
      immutable: file.immutable,
      ...(file.policy === undefined ? {} : { policy: file.policy }),
      plain: file.brotli === null ? place(file.plain) : null,
      brotli: file.brotli && place(file.brotli),
    }
  const index = new TextEncoder().encode(JSON.stringify({ sources, files: listed, entries } satisfies PackIndex))
  const pack = new Uint8Array(4 + index.length + offset)
  new DataView(pack.buffer).setUint32(0, index.length, true)
  pack.set(index, 4)
  let at = 4 + index.length
  for (const part of parts) {
    pack.set(part, at)
    at += part.length
  }
  return pack
}

/** Reads the index of a pack and where the bytes after it begin. */
export const readPackIndex = async (pack: Blob): Promise<{ index: PackIndex; start: number }> => {
  const length = new DataView(await pack.slice(0, 4).arrayBuffer()).getUint32(0, true)
  const index = JSON.parse(await pack.slice(4, 4 + length).text()) as PackIndex
  return { index, start: 4 + length }
}

/**
 * The bytes of a file as they are, whatever form the pack has.
 * @param bytes the pack behind its index
 * @param decompress unpacks brotli: what runs in a browser has no such function
 */
export async function plainBytes(
  { plain, brotli }: PackedFile,
  bytes: Blob,
  decompress: (packed: Uint8Array) => Promise<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer>> {
  const { offset, length } = plain ?? brotli ?? { offset: 0, length: 0 }
  const stored = await bytes.slice(offset, offset + length).bytes()
  return plain === null && brotli !== null ? new Uint8Array(await decompress(stored)) : stored
}
