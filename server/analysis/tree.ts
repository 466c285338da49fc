import { SvcError } from '../../src/errors.ts'
import { type Tree, treeLimits } from '../sources/door.ts'
import type { Desk } from './desk.ts'
import type { Question } from './wire.ts'

/** The files of a tree, without what is in them. */
export interface Listing extends Pick<Tree, 'name' | 'commit' | 'isRemote' | 'paths'> {
  /** Their sizes, where they are known. */
  readonly sizes: readonly (number | null)[]
  readonly links: readonly string[]
}

/** The listing of a tree. */
export function listingOf({ name, commit, isRemote, paths, links, sizeOf }: Tree): Listing {
  return { name, commit, isRemote, paths, links, sizes: isRemote ? [] : paths.map((path) => sizeOf(path)) }
}

/** A tree whose files are asked for one by one. */
export class AskedTree implements Tree {
  readonly name: string
  readonly commit: string | null
  readonly isRemote: boolean
  readonly paths: readonly string[]
  readonly links: readonly string[]
  readonly #sizes: ReadonlyMap<string, number | null>
  readonly #links: ReadonlySet<string>
  readonly #desk: Pick<Desk, 'ask'>

  constructor(listing: Listing, desk: Pick<Desk, 'ask'>) {
    this.name = listing.name
    this.commit = listing.commit
    this.isRemote = listing.isRemote
    this.paths = listing.paths
    this.links = listing.links
    this.#sizes = new Map(listing.sizes.map((size, at) => [listing.paths[at] ?? '', size]))
    this.#links = new Set(listing.links)
    this.#desk = desk
  }

  readonly sizeOf = (path: string): number | null => this.#sizes.get(path) ?? null

  readonly isLink = (path: string): boolean => this.#links.has(path)

  read(path: string): Promise<Uint8Array> {
    return this.#desk.ask({ kind: 'file', path })
  }

  async prefetch(paths: readonly string[]): Promise<void> {
    if (this.isRemote) await this.#desk.ask({ kind: 'prefetch', paths })
  }

  close(): Promise<void> {
    return Promise.resolve()
  }
}

/** Answers what a task asks of a tree. */
export function answerFrom(tree: Tree, signal: AbortSignal): (question: Question) => Promise<Uint8Array> {
  const none = new Uint8Array()
  return async (question) => {
    signal.throwIfAborted()
    if (question.kind === 'prefetch') {
      await tree.prefetch(question.paths)
      return none
    }
    const bytes = await tree.read(question.path)
    if (bytes.byteLength > treeLimits.documentBytes)
      throw new SvcError('source-too-large', {
        source: tree.name,
        what: 'bytes of documents',
        limit: treeLimits.documentBytes,
      })
    return bytes
  }
}
