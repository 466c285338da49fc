/** From the bytes of a file to its text, alike for every reader. */
import { SvcError } from '../errors.ts'

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
function foreignKind(bytes: Uint8Array): string | null {
  const known = foreign.find(([, first]) => begins(bytes, ...first))
  if (known !== undefined) return known[0]
  // Few documents are looked at closely: those whose first sign is a "<".
  if (bytes.subarray(0, 512).find((byte) => byte > 0x20) !== 0x3c) return null
  const start = ascii(bytes, 0, 512).trimStart().toLowerCase()
  if (start.startsWith('<!doctype html') || start.startsWith('<html')) return 'an HTML page'
  if (start.startsWith('<?xml') || start.startsWith('<wsdl') || start.startsWith('<xs:')) return 'XML'
  return null
}

// Which encoding of several bytes a unit the text is in, as its byte order mark or the zero bytes of its first sign show.
function wideEncoding(bytes: Uint8Array): string | null {
  if (begins(bytes, 0xff, 0xfe, 0, 0) || begins(bytes, 0, 0, 0xfe, 0xff) || begins(bytes, 0, 0, 0)) return 'UTF-32'
  if (bytes.length < 2 || (bytes[0] === 0) === (bytes[1] === 0)) return null
  if (bytes[0] === 0) return 'UTF-16BE'
  return bytes[2] === 0 && bytes[3] === 0 ? 'UTF-32' : 'UTF-16LE'
}

/**
 * The text of a document: UTF-8, or UTF-16 where a byte order mark says so.
 *
 * @param name what the bytes are called, for messages
 * @throws SvcError `document-invalid` for what is certainly not a document, and for other encodings
 */
export function textOf(bytes: Uint8Array, name: string): string {
  const invalid = (reason: string): SvcError => new SvcError('document-invalid', { reason: `${name} ${reason}` })
  const foreign = foreignKind(bytes)
  if (foreign !== null) throw invalid(`is ${foreign}; expected JSON or YAML`)
  const wide = wideEncoding(bytes)
  if (wide !== null)
    throw invalid(`is written in ${wide}${wide === 'UTF-32' ? '' : ' without a byte order mark'}; save it as UTF-8`)
  const marked = begins(bytes, 0xff, 0xfe) ? 'utf-16le' : begins(bytes, 0xfe, 0xff) ? 'utf-16be' : null
  try {
    return new TextDecoder(marked ?? 'utf-8', { fatal: true, ignoreBOM: marked === null }).decode(bytes)
  } catch {
    throw invalid(`is not text in ${marked === null ? 'UTF-8' : 'UTF-16'}`)
  }
}

/**
 * The bytes of a document as they are stored: its own, or its text in UTF-8 where they are in UTF-16.
 *
 * @param name what the bytes are called, for messages
 * @throws SvcError `document-invalid` as `textOf` does
 */
export function utf8Of(bytes: Uint8Array<ArrayBuffer>, name: string): Uint8Array<ArrayBuffer> {
  const text = textOf(bytes, name)
  // These bytes begin a text in UTF-16 and none in UTF-8.
  return bytes[0] === 0xff || bytes[0] === 0xfe ? new TextEncoder().encode(text) : bytes
}

const marks =
  /(?:^|[\n{,])\s*["']?(?:openapi|swagger|arazzo|\$schema|protocolVersion|mcpVersion|inputSchema|manifest_version|dxt_version|serverInfo)["']?\s*:/

/** Whether a text names, at its top level or wherever it is cut off, the kind of an API description or the dialect of a JSON Schema. */
export const looksLikeDescription = (text: string): boolean => marks.test(text)
