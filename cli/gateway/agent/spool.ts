/**
 * Redacted records on their way to the service. Each part of a log is one file, written at once, with the places up to which the logs
 * were read: so a record is neither lost nor counted twice when the process ends. A file is removed when the service has all of it.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Folder } from './folder.ts'
import type { Position } from './tail.ts'

export type Positions = Readonly<Record<string, Position>>
interface Header {
  readonly format: 1
  readonly positions: Positions
  readonly dropped: number
}
export interface Segment {
  readonly name: string
  readonly lines: readonly string[]
}

const positionsName = 'logs.json'
const isSegment = (name: string): boolean => /^\d{12}\.ndjson$/.test(name)

export class Spool {
  readonly #folder: Folder
  readonly #mostBytes: number
  #next: number
  #positions: Positions
  #dropped: number

  constructor(folder: Folder, mostBytes: number) {
    this.#folder = folder
    this.#mostBytes = mostBytes
    const names = this.#names()
    this.#next = Number(names.at(-1)?.slice(0, 12) ?? 0) + 1
    // The newest file knows best; where all were sent, what was kept at that time.
    const newest = names.toReversed().flatMap((name) => this.#header(join('spool', name)) ?? [])[0]
    const known = newest ?? this.#header(positionsName)
    this.#positions = known?.positions ?? {}
    this.#dropped = known?.dropped ?? 0
  }

  #names(): string[] {
    return this.#folder.list('spool').filter(isSegment)
  }

  #header(name: string): Header | null {
    const [line = ''] = (this.#folder.read(name) ?? '').split('\n', 1)
    try {
      const header = JSON.parse(line) as Partial<Header> | null
      return header?.format === 1 && typeof header.positions === 'object' ? (header as Header) : null
    } catch {
      return null
    }
  }

  get positions(): Positions {
    return this.#positions
  }
  /** Records that were thrown away because the service did not take them in time. */
  get dropped(): number {
    return this.#dropped
  }

  /**
   * Keeps records with the places that they end at.
   * @returns how many older records had to go
   * @throws what the disk says; then nothing was kept
   */
  add(lines: readonly string[], positions: Positions): number {
    let lost = 0
    const content = lines.join('\n')
    let size = content.length
    const names = this.#names()
    const sizes = names.map((name) => statSync(this.#folder.at('spool', name)).size)
    for (const it of sizes) size += it
    for (const [index, name] of names.entries()) {
      if (size <= this.#mostBytes) break
      lost += this.#linesOf(name).length
      this.#folder.remove('spool', name)
      size -= sizes[index] ?? 0
    }
    const header: Header = { format: 1, positions, dropped: this.#dropped + lost }
    const name = `${String(this.#next).padStart(12, '0')}.ndjson`
    this.#folder.replace(join('spool', name), `${JSON.stringify(header)}\n${content}${content === '' ? '' : '\n'}`)
    this.#next++
    this.#positions = positions
    this.#dropped = header.dropped
    return lost
  }

  #linesOf(name: string): string[] {
    return (this.#folder.read(join('spool', name)) ?? '')
      .split('\n')
      .slice(1)
      .filter((line) => line !== '')
  }

  /** The oldest file; null: all was sent. */
  oldest(): Segment | null {
    const [name] = this.#names()
    return name === undefined ? null : { name, lines: this.#linesOf(name) }
  }

  /** The service has all of it. */
  done(name: string): void {
    // Places first: with the last file they would be lost.
    this.#folder.replace(
      positionsName,
      `${JSON.stringify({ format: 1, positions: this.#positions, dropped: this.#dropped })}\n`,
    )
    this.#folder.remove('spool', name)
  }
}
