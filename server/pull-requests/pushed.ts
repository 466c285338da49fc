import { createHash } from 'node:crypto'
import type { Refs } from '../hosting/door.ts'

/** Branches that one look reports on; the others follow with the next one. */
const mostBranches = 20
/** Of a repository with more branches only pull requests get reports: what was seen is kept in its record. */
const mostMarked = 1000
const markLength = 8
const prefix = 'marks:'

const hash = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Says of a branch and its commit that they were seen. */
const markOf = ([branch, commit]: readonly [string, string]): string =>
  hash(`${branch}\0${commit}`).toString('base64url').slice(0, markLength)

const marksIn = (kept: string | null): ReadonlySet<string> | null => {
  if (kept?.startsWith(prefix) !== true) return null
  return new Set(kept.slice(prefix.length).match(new RegExp(`.{${markLength}}`, 'g')) ?? [])
}

/** The branches of a repository beside those that were seen before. */
export class Pushed {
  /** Branches with their commits that were pushed since the last look, at most 20. The first look has none: it only sees. */
  readonly branches: readonly (readonly [branch: string, commit: string])[]
  /** What is kept when all of them were reported on. */
  readonly complete: string
  /** Whether there are more than one look reports on. */
  readonly hasMore: boolean
  readonly #unmarked: ReadonlySet<string>
  readonly #all: readonly string[]
  readonly #done = new Set<string>()

  /** @param kept what was kept after the last look; null: there was none */
  constructor(refs: Refs, kept: string | null) {
    const all = [...refs.branches].toSorted(([a], [b]) => (a < b ? -1 : 1))
    this.#all = all.length > mostMarked ? [] : all.map(markOf)
    this.complete = all.length > mostMarked ? hash(JSON.stringify(all)).toString('hex') : this.#kept(this.#all)
    const before = marksIn(kept)
    const moved = before === null || this.#all.length === 0 ? [] : all.filter((one) => !before.has(markOf(one)))
    this.branches = moved.slice(0, mostBranches)
    this.hasMore = moved.length > mostBranches
    this.#unmarked = new Set(moved.map(markOf))
  }

  #kept(marks: readonly string[]): string {
    return `${prefix}${marks.join('')}`
  }

  /** Notes that a branch was reported on. */
  done(branch: readonly [string, string]): void {
    this.#done.add(markOf(branch))
  }

  /** What is kept now: the branches that were reported on and those that did not move. */
  get kept(): string {
    if (this.#all.length === 0) return this.complete
    return this.#kept(this.#all.filter((mark) => !this.#unmarked.has(mark) || this.#done.has(mark)))
  }
}
