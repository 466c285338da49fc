/** Reads lines that are appended to a log, across its rotation (another file takes its name) and truncation. */
import { closeSync, fstatSync, openSync, readSync, readdirSync, statSync, type BigIntStats } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { cutLines } from '../../../src/gateway/log/lines.ts'

/** A place in a file, whatever its name is by now. */
export interface Position {
  readonly inode: string
  readonly offset: number
  /** The place is inside a line that is too long. */
  readonly inside: boolean
}
export interface TailPart {
  readonly lines: readonly string[]
  readonly tooLong: number
  /** Where the part began: with it the same bytes have the same name. */
  readonly from: Position
  readonly to: Position
}

const longestLine = 1 << 20
/** A file, whatever it is called: systems give the number of a removed file to the next one, so its birth is part of it. */
const nameOf = (it: BigIntStats): string => `${it.dev}:${it.ino}:${it.birthtimeNs}`
const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code

export class Tail {
  readonly path: string
  #position: Position | null

  constructor(path: string, position: Position | null = null) {
    this.path = path
    this.#position = position
  }

  get position(): Position | null {
    return this.#position
  }

  #inodeOf(path: string): { inode: string; size: number } | null {
    try {
      const stat = statSync(path, { bigint: true })
      return stat.isFile() ? { inode: nameOf(stat), size: Number(stat.size) } : null
    } catch (error) {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'EACCES') return null
      throw error
    }
  }

  /** What is in the file already is not read. */
  skipToEnd(): void {
    const found = this.#inodeOf(this.path)
    this.#position = found === null ? null : { inode: found.inode, offset: found.size, inside: false }
  }

  /** The path of the file that the position is in: its own, or the one that a rotation gave it. */
  #pathOf(inode: string): string | null {
    if (this.#inodeOf(this.path)?.inode === inode) return this.path
    const name = basename(this.path)
    const stem = name.replace(/\.[^.]*$/, '')
    try {
      const others = readdirSync(dirname(this.path)).filter(
        (it) => it !== name && it.startsWith(stem) && !it.endsWith('.gz'),
      )
      return others.map((it) => join(dirname(this.path), it)).find((it) => this.#inodeOf(it)?.inode === inode) ?? null
    } catch {
      return null
    }
  }

  /**
   * Reads what was added, up to a number of bytes.
   * @param most bytes, at least as many as the longest line
   * @returns null: nothing was
   */
  read(most: number): TailPart | null {
    const now = this.#inodeOf(this.path)
    let position = this.#position
    if (position !== null && position.inode !== now?.inode) {
      const rotated = this.#pathOf(position.inode)
      const part = rotated === null ? null : this.#readFrom(rotated, position, most)
      if (part !== null) return part
      position = null
    }
    if (now === null) return null
    position ??= { inode: now.inode, offset: 0, inside: false }
    // Shorter than what was read: its content was thrown away, and what it has is new.
    if (now.size < position.offset) position = { inode: now.inode, offset: 0, inside: false }
    return this.#readFrom(this.path, position, most)
  }

  #readFrom(path: string, from: Position, most: number): TailPart | null {
    let file: number
    try {
      file = openSync(path, 'r')
    } catch (error) {
      if (codeOf(error) === 'ENOENT' || codeOf(error) === 'EACCES') return null
      throw error
    }
    try {
      const stat = fstatSync(file, { bigint: true })
      if (nameOf(stat) !== from.inode) return null
      const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(most, Number(stat.size) - from.offset)))
      const read = readSync(file, bytes, 0, bytes.length, from.offset)
      const cut = cutLines(bytes.subarray(0, read), Math.min(longestLine, most - 1), from.inside)
      if (cut.used === 0) return null
      const to = { inode: from.inode, offset: from.offset + cut.used, inside: cut.inside }
      this.#position = to
      return { lines: cut.lines, tooLong: cut.tooLong, from, to }
    } finally {
      closeSync(file)
    }
  }

  /** Goes back to a place: what was read after it is read again. */
  rewind(position: Position | null): void {
    this.#position = position
  }
}
