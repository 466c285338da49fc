/** Packs texts as a tar archive (ustar), which every system can unpack. */

const block = 512

/**
 * An archive of texts.
 * @param entries each with its path of at most 100 bytes
 * @throws RangeError for a longer path
 */
export function tarOf(entries: readonly { readonly path: string; readonly text: string }[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder()
  const files = entries.map(({ path, text }) => ({ name: encoder.encode(path), content: encoder.encode(text) }))
  const padded = (size: number): number => Math.ceil(size / block) * block
  // Two empty blocks end it.
  const size = files.reduce((sum, { content }) => sum + block + padded(content.byteLength), 2 * block)
  const archive = new Uint8Array(size)
  let at = 0
  for (const { name, content } of files) {
    if (name.byteLength > 100) throw new RangeError('a path of the archive is longer than 100 bytes')
    const header = archive.subarray(at, at + block)
    const put = (offset: number, text: string): void => header.set(encoder.encode(text), offset)
    const octal = (offset: number, width: number, value: number): void =>
      put(offset, value.toString(8).padStart(width - 1, '0'))
    header.set(name)
    octal(100, 8, 0o644)
    octal(108, 8, 0)
    octal(116, 8, 0)
    octal(124, 12, content.byteLength)
    octal(136, 12, 0)
    put(148, '        ')
    put(156, '0')
    put(257, 'ustar\u000000')
    const sum = header.reduce((total, byte) => total + byte, 0)
    put(148, `${sum.toString(8).padStart(6, '0')}\u0000 `)
    archive.set(content, at + block)
    at += block + padded(content.byteLength)
  }
  return archive
}
