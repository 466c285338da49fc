/** What bytes are, by how they begin. */

const begins = (bytes: Uint8Array, ...first: readonly number[]): boolean =>
  first.every((byte, index) => bytes[index] === byte)

const ascii = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, Math.min(to, bytes.length)))

const foreign: readonly (readonly [name: string, first: readonly number[]])[] = [
  ['a PDF', [0x25, 0x50, 0x44, 0x46]],
  ['a PNG image', [0x89, 0x50, 0x4e, 0x47]],
  ['a JPEG image', [0xff, 0xd8, 0xff]],
  ['a GIF image', [0x47, 0x49, 0x46, 0x38]],
  ['an xz archive (zip, tar and tar.gz can be read)', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ['a bzip2 archive (zip, tar and tar.gz can be read)', [0x42, 0x5a, 0x68]],
  ['a 7z archive (zip, tar and tar.gz can be read)', [0x37, 0x7a, 0xbc, 0xaf]],
  ['a zstd archive (zip, tar and tar.gz can be read)', [0x28, 0xb5, 0x2f, 0xfd]],
  ['a program', [0x7f, 0x45, 0x4c, 0x46]],
  ['an old Office file', [0xd0, 0xcf, 0x11, 0xe0]],
]

/** What the bytes are where they are certainly no document, in words ("a PDF"); null where they may be one. */
export function foreignKind(bytes: Uint8Array): string | null {
  const known = foreign.find(([, first]) => begins(bytes, ...first))
  if (known !== undefined) return known[0]
  const start = ascii(bytes, 0, 512).trimStart().toLowerCase()
  if (start.startsWith('<!doctype html') || start.startsWith('<html')) return 'an HTML page'
  if (start.startsWith('<?xml') || start.startsWith('<wsdl') || start.startsWith('<xs:')) return 'XML'
  return null
}

/** The text of the bytes: UTF-8, or UTF-16 where a byte order mark says so; null where it is neither. */
export function decodeText(bytes: Uint8Array): string | null {
  const label = begins(bytes, 0xff, 0xfe) ? 'utf-16le' : begins(bytes, 0xfe, 0xff) ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: label === 'utf-8' }).decode(bytes)
  } catch {
    return null
  }
}
