/** Writes tar archives in ustar form (POSIX.1-1988): all that a release packs has short names and no links. */
import { joinBytes } from '../../src/kernel/bytes.ts'
import { inOrder, type Entry } from './entries.ts'

const block = 512

/** A name in its two fields: up to 100 bytes, with the folders before them in 155 more. */
function fieldsOf(path: string): readonly [name: string, prefix: string] {
  if (Buffer.byteLength(path) <= 100) return [path, '']
  const cut = [...path.matchAll(/\//g)]
    .map(({ index }) => index)
    .find((at) => Buffer.byteLength(path.slice(at + 1)) <= 100)
  const prefix = path.slice(0, cut ?? 0)
  if (cut === undefined || Buffer.byteLength(prefix) > 155) throw new Error(`"${path}" is too long for a tar archive.`)
  return [path.slice(cut + 1), prefix]
}

function headerOf(path: string, { mode, owner = 0, content }: Entry, time: number): Uint8Array {
  const header = Buffer.alloc(block)
  const octal = (at: number, width: number, value: number): void =>
    void header.write(`${value.toString(8).padStart(width - 1, '0')}\0`, at)
  const [name, prefix] = fieldsOf(content === null ? `${path}/` : path)
  header.write(name, 0)
  octal(100, 8, mode)
  octal(108, 8, owner)
  octal(116, 8, owner)
  octal(124, 12, content?.byteLength ?? 0)
  octal(136, 12, time)
  header.write('        ', 148)
  header.write(content === null ? '5' : '0', 156)
  header.write('ustar\x0000', 257)
  header.write(prefix, 345)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/**
 * Packs entries.
 * @param options.time the time of every entry, in seconds since 1970
 * @param options.prefix what comes before every path, as "./"
 * @throws Error for names that the form cannot hold, and paths that are there twice
 */
export function tarOf(
  entries: readonly Entry[],
  { time, prefix = '' }: { readonly time: number; readonly prefix?: string },
): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = []
  for (const entry of inOrder(entries)) {
    const { path, content } = entry
    parts.push(headerOf(`${prefix}${path}`, entry, time))
    if (content !== null) parts.push(content, new Uint8Array((block - (content.byteLength % block)) % block))
  }
  return joinBytes([...parts, new Uint8Array(2 * block)])
}
