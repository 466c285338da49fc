/** Writes cpio archives in the new ASCII form (cpio(5), "New ASCII Format"), as rpm packs files. */
import { joinBytes } from '../../src/kernel/bytes.ts'
import type { Entry } from './entries.ts'

const padding = (length: number): Uint8Array => new Uint8Array((4 - (length % 4)) % 4)

/** The mode of an entry with its kind: a folder or a file. */
export const modeOf = ({ mode, content }: Entry): number => (content === null ? 0o040000 : 0o100000) | mode

/**
 * Packs entries in the order given; paths begin with "./".
 * @param time the time of every entry, in seconds since 1970
 */
export function cpioOf(entries: readonly Entry[], time: number): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = []
  const add = (name: string, fields: { readonly inode: number; readonly mode: number }, content: Uint8Array): void => {
    const isLast = name === 'TRAILER!!!'
    const values = [fields.inode, fields.mode, 0, 0, 1, isLast ? 0 : time, content.byteLength, 0, 0, 0, 0]
    const numbers = [...values, Buffer.byteLength(name) + 1, 0].map((it) => it.toString(16).padStart(8, '0'))
    const header = Buffer.from(`070701${numbers.join('')}${name}\0`)
    parts.push(header, padding(header.byteLength), content, padding(content.byteLength))
  }
  for (const [at, entry] of entries.entries())
    add(`./${entry.path}`, { inode: at + 1, mode: modeOf(entry) }, entry.content ?? new Uint8Array())
  add('TRAILER!!!', { inode: 0, mode: 0 }, new Uint8Array())
  return joinBytes(parts)
}
