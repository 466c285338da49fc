/** Checks watched documents again and again; what did not change costs nothing. */
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { conclusionOf } from '../../src/diff/conclusion.ts'
import type { Document } from '../../src/document/document.ts'
import { SvcError } from '../../src/errors.ts'
import type { Finding } from '../../src/lint/finding.ts'
import { digestOf, MemoryCache } from '../cache/cache.ts'
import { compareTexts, watched } from '../diff/cached.ts'
import { compareDocuments } from '../diff/compared.ts'
import { readJudging } from '../diff/judging.ts'
import type { Settings } from '../diff/settings.ts'
import { readSource, readWhole, splitStored } from '../input/document-side.ts'
import { pathOf } from '../input/document-source.ts'
import { FilesRecorder } from '../input/files-read.ts'
import { splitRevision } from '../input/git/file.ts'
import { lintFiles, type LintInvocation } from '../lint/files.ts'
import type { Linted } from '../lint/outcome.ts'
import { type LintPlan, planLint, settle } from '../lint/plan.ts'
import { atRevision, sideOf } from '../project-file/base.ts'
import { apiOf, findProjectFile } from '../project-file/find.ts'
import type { Comparison, DocumentState, State } from './rounds.ts'
import type { Watched } from './watcher.ts'
import { isWebAddress } from '../../src/kernel/text.ts'

/** Whether a text names a document rather than a revision of all documents. */
const namesDocument = (base: string, cwd: string): boolean =>
  isWebAddress(base) || splitRevision(base) !== null || splitStored(base) !== null || existsSync(resolve(cwd, base))

interface BaseOptions {
  readonly base: string | undefined
  readonly cwd: string
  /** Whether `svc.yaml` applies, and with which profile. */
  readonly projectFile: boolean
  readonly profile: string | null
}

/**
 * The name of the older side of each document; null for one that is compared with itself as it was when watching began.
 * @throws SvcError `usage` where one document is named for several; as `findProjectFile` does
 */
async function basesOf(
  sources: readonly string[],
  { base, cwd, projectFile, profile }: BaseOptions,
): Promise<ReadonlyMap<string, string | null>> {
  if (base !== undefined) {
    const isDocument = namesDocument(base, cwd)
    if (isDocument && sources.length > 1)
      throw new SvcError('usage', {
        reason: `--base ${base} names one document, but ${sources.length} are watched; name a git revision, such as --base main`,
      })
    return new Map(sources.map((it) => [it, isDocument ? base : atRevision(base, it, cwd)]))
  }
  const file = projectFile ? await findProjectFile(cwd, profile) : null
  const baseOf = (source: string): string | null => {
    const api = file === null ? null : apiOf(file, resolve(cwd, source))
    const side = api?.compareWith ?? file?.defaults.compareWith ?? null
    if (side === null) return null
    const named = side.kind === 'version' && side.project === ''
    return sideOf(named ? { ...side, project: api?.project ?? api?.name ?? '' } : side, source, cwd)
  }
  return new Map(sources.map((it) => [it, baseOf(it)]))
}

/** What is remembered at most: findings of documents, and comparisons. */
const mostResults = 2000
const mostFolders = 2000
const passedOver = new Set(['node_modules', 'vendor', 'dist', 'target'])

/** The documents as they are, and what has to be watched. */
export interface Checked {
  readonly state: State
  readonly watched: Watched
}

async function foldersBelow(folder: string): Promise<string[]> {
  const found = [folder]
  for (const at of found) {
    const entries = await readdir(at, { withFileTypes: true }).catch(() => null)
    for (const entry of entries ?? [])
      if (
        entry.isDirectory() &&
        !entry.name.startsWith('.') &&
        !passedOver.has(entry.name) &&
        found.length < mostFolders
      )
        found.push(join(at, entry.name))
  }
  return found
}

/** While a document cannot be read, its rules find nothing: what they found before is still there, not gone. */
export function withKnown(
  found: readonly Finding[],
  documents: readonly Pick<Linted, 'document' | 'readable'>[],
  before: readonly Finding[],
): readonly Finding[] {
  if (documents.every((it) => it.readable)) return found
  const readable = new Set(documents.filter((it) => it.readable).map(({ document }) => document.source))
  return [...found, ...before.filter((it) => it.code !== 'parser' && !readable.has(it.source))]
}

/** One run of `svc watch`. */
export class Session {
  readonly #invocation: LintInvocation
  readonly #base: string | undefined
  readonly #cache = new MemoryCache(mostResults)
  /** The documents when watching began; null for one that could not be read. */
  readonly #first = new Map<string, Document | null>()
  #known = new Map<string, DocumentState>()
  #findings: readonly Finding[] = []

  /** @param base as `--base` names it */
  constructor(invocation: LintInvocation, base: string | undefined) {
    this.#invocation = invocation
    this.#base = base
  }

  /**
   * Checks all documents.
   * @throws SvcError as `planLint`, `lintFiles` and `settle` do, and `usage` for a base that cannot be meant
   */
  async check(): Promise<Checked> {
    const invocation = this.#invocation
    const plan = await planLint(invocation)
    const linted = await lintFiles(plan.names, plan.guide, invocation, this.#cache)
    const all = linted.all.map(plan.keep)
    const { accepted } = await settle(plan, all, invocation)
    const bases = await this.#basesOf(all.map(({ document }) => document.source))
    const documents: DocumentState[] = []
    for (const it of all) documents.push(await this.#stateOf(it, bases.get(it.document.source) ?? null))
    this.#known = new Map(documents.map((it) => [it.source, it]))
    this.#findings = withKnown(accepted.left, all, this.#findings)
    return { state: { documents, findings: this.#findings }, watched: await this.#watchedOf(plan, all) }
  }

  #basesOf(sources: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    const { options, cwd } = this.#invocation
    const { profile = null, 'project-file': projectFile } = options
    return basesOf(sources, { base: this.#base, cwd, projectFile, profile })
  }

  async #stateOf({ document, grade, read }: Linted, base: string | null): Promise<DocumentState> {
    const { source, text } = document
    const state = digestOf(text, JSON.stringify(read ?? []), base ?? '')
    const known = this.#known.get(source)
    if (known?.state === state && base === null) return { ...known, grade }
    return { source, state, grade, comparison: await this.#compare(source, base) }
  }

  async #compare(source: string, base: string | null): Promise<Comparison | null> {
    const { options } = this.#invocation
    const name = base ?? 'the start'
    const failed = (thrown: unknown): Comparison => {
      if (!(thrown instanceof SvcError)) throw thrown
      const before = this.#known.get(source)?.comparison
      // While a document cannot be read, nothing is known of its changes: none of them is gone.
      return { base: name, conclusion: `not compared: ${thrown.message}`, changes: before?.changes ?? [] }
    }
    try {
      const text = await readSource(source, { ...this.#invocation, asWritten: !options['project-file'] })
      const files = new FilesRecorder()
      const read = (): Promise<Document> => readWhole(watched(text, files))
      const settings = await this.#settings(source)
      if (base !== null) {
        const older = await readSource(base, this.#invocation)
        const { result, scope } = await compareTexts(older, { text, read, files }, settings, this.#cache)
        return { base, conclusion: conclusionOf(result, scope), changes: result.changes }
      }
      if (!this.#first.has(source)) {
        this.#first.set(source, null)
        this.#first.set(source, await read())
        return null
      }
      const first = this.#first.get(source) ?? null
      if (first === null) {
        this.#first.set(source, await read())
        return null
      }
      const { result, scope } = await compareDocuments(first, await read(), settings, null)
      return { base: name, conclusion: conclusionOf(result, scope), changes: result.changes }
    } catch (thrown) {
      return failed(thrown)
    }
  }

  async #settings(source: string): Promise<Settings> {
    const { options, cwd } = this.#invocation
    const file = options['project-file'] ? await findProjectFile(cwd, options.profile ?? null) : null
    const diff = (file === null ? null : (apiOf(file, resolve(cwd, source)) ?? file.defaults))?.diff
    const severity = Object.entries(diff?.severity ?? {}).map(([rule, it]) => `${rule}=${it}`)
    const judging = await readJudging(
      { config: diff?.config ?? undefined, profile: diff?.profile ?? null, severity, ignore: [] },
      cwd,
    )
    const asOf = new Date().toISOString().slice(0, 10)
    return { ...judging, ignore: [...(diff?.ignore ?? []), ...judging.ignore], asOf, mode: undefined, scope: null }
  }

  async #watchedOf(plan: LintPlan, all: readonly Linted[]): Promise<Watched> {
    const { args, options, cwd } = this.#invocation
    const files = new Set<string>()
    const add = (name: string | null | undefined): void => {
      if (name !== null && name !== undefined && !isWebAddress(name)) files.add(resolve(cwd, name))
    }
    for (const { document, read = [] } of all) {
      add(document.source)
      for (const [place] of read) add(pathOf(place))
    }
    for (const { guide, options: own } of plan.groups) {
      for (const it of guide.files ?? []) add(it)
      add(own.baseline)
      add(own.waivers)
    }
    add(plan.applied?.file ?? (options['project-file'] ? 'svc.yaml' : null))
    if (options.guide === undefined) add('.spectral.yaml')
    const named = args.files.length === 0 && plan.applied === null ? ['.'] : args.files
    const folders: string[] = []
    for (const name of named) {
      if (name.startsWith('!') || isWebAddress(name)) continue
      // A pattern may match new files below the folder that it begins with.
      const [start = ''] = name.split(/[*?[{]/)
      const isPattern = start !== name
      const path = resolve(cwd, isPattern ? start.slice(0, start.lastIndexOf('/') + 1) : name)
      const isFolder = isPattern || (await readdir(path).catch(() => null)) !== null
      if (isFolder) folders.push(...(await foldersBelow(path)))
      else files.add(path)
    }
    return { files: [...files], folders }
  }
}
