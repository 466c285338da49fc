/** From the names of two sides to one comparison: in this process, or by the service where the older side is stored there. */
import { nothingBefore } from '../../src/diff/nothing.ts'
import type { Document } from '../../src/document/document.ts'
import { SvcError } from '../../src/errors.ts'
import type { ResultCache } from '../cache/cache.ts'
import { FilesRecorder } from '../input/files-read.ts'
import { findSource, readSource, readWhole, storedName, type StoredName } from '../input/document-side.ts'
import { MissingSide, type SourceText } from '../input/document-source.ts'
import { compareTexts, watched, wholeText, type SharedSide } from './cached.ts'
import type { Head } from './classified.ts'
import { compareDocuments, type Compared, type WithConsumers } from './compared.ts'
import type { ComparingInvocation } from './options.ts'
import type { Settings } from './settings.ts'

const absent: ReadonlySet<unknown> = new Set(['file-not-found', 'project-not-found', 'version-not-found'])

const isMissing = (thrown: unknown): boolean =>
  thrown instanceof MissingSide || (thrown instanceof SvcError && absent.has(thrown.code))

/** What is asked of a comparison beside its changes. */
export interface Wishes {
  /** Names the affected consumers here; null where that is not asked for, or the service does it. */
  readonly withConsumers: WithConsumers | null
  /** The project whose consumers are asked for, where they are those that are registered with it. */
  readonly consumersOf: string | null
  readonly markdown: boolean
}

/** Compares sides by their names; the newer one is read once, for however many older ones. */
export class Sides {
  readonly #invocation: ComparingInvocation
  readonly #settings: Settings
  readonly #wishes: Wishes
  readonly #cache: ResultCache | null
  readonly #headFiles = new FilesRecorder()
  #headText: Promise<SourceText> | null = null
  #head: Promise<Document> | null = null

  constructor(invocation: ComparingInvocation, settings: Settings, wishes: Wishes, cache: ResultCache | null) {
    this.#cache = cache
    this.#invocation = invocation
    this.#settings = settings
    this.#wishes = wishes
  }

  #readHeadText(): Promise<SourceText> {
    return (this.#headText ??= readSource(this.#invocation.args.head, this.#invocation))
  }

  async #headSide(): Promise<SharedSide> {
    return { text: await this.#readHeadText(), read: () => this.#readHead(), files: this.#headFiles }
  }

  #readHead(): Promise<Document> {
    return (this.#head ??= this.#readHeadText().then((text) => readWhole(watched(text, this.#headFiles))))
  }

  /**
   * Compares an older side with the newer one. Where it does not exist and --allow-missing-base was given, everything is new.
   * @throws SvcError as `readSide`, `compareDocuments` and `askClassified` do
   */
  async with(name: string): Promise<Compared> {
    const stored = await storedName(name, this.#invocation.cwd)
    const far = stored === null ? null : await this.#askService(name, stored)
    return far ?? this.#compareHere(name)
  }

  async #compareHere(name: string): Promise<Compared> {
    const text = await this.#unlessMissing(name, () => findSource(name, this.#invocation))
    const withConsumers = await this.#consumersHere()
    if (text !== null && withConsumers === null)
      return compareTexts(text, await this.#headSide(), this.#settings, this.#cache)
    const base = text === null ? null : await readWhole(await wholeText(text))
    const head = await this.#readHead()
    return compareDocuments(base ?? nothingBefore(head, name), head, this.#settings, withConsumers)
  }

  /** What names the affected consumers in this process, also where the service was meant to. */
  async #consumersHere(): Promise<WithConsumers | null> {
    const { withConsumers, consumersOf } = this.#wishes
    if (withConsumers !== null || consumersOf === null) return withConsumers
    const { askConsumers, readAsked } = await import('./consumers.ts')
    const asked = await readAsked(consumersOf, this.#invocation)
    return (result, base, head) => askConsumers(asked, result, base, head)
  }

  /** Null where only the documents themselves answer what is asked. */
  async #askService(name: string, base: StoredName): Promise<Compared | null> {
    const { args, cwd } = this.#invocation
    const { withConsumers, consumersOf, markdown } = this.#wishes
    if (withConsumers !== null || (consumersOf !== null && consumersOf !== base.project)) return null
    // What speaks with the service is loaded where a side is of it.
    const { askClassified, fitsInline } = await import('./classified.ts')
    const head: Head = (await storedName(args.head, cwd)) ?? (await this.#readHead())
    if (!fitsInline(head)) {
      this.#invocation.io.log.warn(
        `${args.head} has more than 10 MB, the most that the service compares: it is compared here with the document of ${name}, which needs the right to read it.`,
      )
      return null
    }
    const asked = { consumers: consumersOf !== null, markdown }
    const compared = await this.#unlessMissing(name, async () => {
      try {
        return await askClassified(base, head, this.#settings, asked, this.#invocation)
      } catch (thrown) {
        throw await this.#explain(thrown, base, head)
      }
    })
    if (compared !== null) return compared
    const document = await this.#readHead()
    return compareDocuments(nothingBefore(document, name), document, this.#settings, null)
  }

  // The answer does not say which side it is about; what was probably meant is looked up with the side.
  async #explain(thrown: unknown, base: StoredName, head: Head): Promise<unknown> {
    if (!(thrown instanceof SvcError) || !absent.has(thrown.code)) return thrown
    const { project, version } = thrown.detail as { project?: string; version?: string }
    const isBase = project === base.project && (version === undefined || version === base.version)
    const side = isBase || !('project' in head) ? base : head
    const { explainMissing } = await import('../input/document-stored.ts')
    const explained = await explainMissing(thrown, side.project, side.version, this.#invocation).catch(() => thrown)
    // A missing head is an error whatever is allowed of the base.
    if (side === base) return explained
    return new SvcError('usage', { reason: explained.message })
  }

  async #unlessMissing<T>(name: string, read: () => Promise<T>): Promise<T | null> {
    const { args, options, io } = this.#invocation
    try {
      return await read()
    } catch (thrown) {
      if (!isMissing(thrown) || !options['allow-missing-base']) throw thrown
      io.log.warn(`${name} does not exist: ${args.head} is compared with nothing.`)
      return null
    }
  }
}
