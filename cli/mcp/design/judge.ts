/** What an edit means before it is written: findings that come and go, and what it breaks for whom. */
import { basename, extname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Change } from '../../../src/diff/change.ts'
import { assertComparable } from '../../../src/diff/comparable.ts'
import { diff } from '../../../src/diff/diff.ts'
import { documentVersionOf, nextVersion, stepOf } from '../../../src/diff/next-version.ts'
import type { DiffResult } from '../../../src/diff/options.ts'
import { inFiles } from '../../../src/diff/places.ts'
import { tallyOf } from '../../../src/diff/tally.ts'
import type { Document } from '../../../src/document/document.ts'
import { readTolerantly } from '../../../src/document/parse.ts'
import { SvcError } from '../../../src/errors.ts'
import type { Finding } from '../../../src/lint/finding.ts'
import { fingerprintIn } from '../../../src/lint/fingerprint.ts'
import type { ProjectApi } from '../../../src/project-file/settings.ts'
import { askConsumers } from '../../diff/consumers.ts'
import { inOverlays } from '../../diff/overlaid.ts'
import { engineOptions, type Settings } from '../../diff/settings.ts'
import { distinct, keyOf as keyOfFinding } from '../../../src/lint/reported.ts'
import { lintTarget } from '../../lint/outcome.ts'
import { placeFindings } from '../../lint/overlaid.ts'
import { Breaking, wholeOf } from '../../lsp/breaking.ts'
import { acceptedOf, Guides, type Around } from '../../lsp/guides.ts'
import { withEditorOverlays, type LaidDocument } from '../../lsp/overlays.ts'
import { OpenText, Store } from '../../lsp/store.ts'
import { EditorTypes } from '../../lsp/types.ts'
import { nameInProject, type ProjectFile } from '../../project-file/find.ts'
import type { OpenedFile } from './repository.ts'

/** Who may notice an edit. */
export interface AffectedConsumer {
  readonly handle: string
  readonly name: string
  readonly status: 'broken' | 'unknown' | 'touched' | 'unaffected'
}

/** What is known of an edit, over all APIs that its file is a part of. */
export interface Judgement {
  readonly newFindings: readonly Finding[]
  readonly goneFindings: readonly Finding[]
  readonly verdict: 'safe' | 'breaking' | 'unknown'
  readonly changes: readonly Change[]
  readonly consumers: readonly AffectedConsumer[]
  /** The smallest version that does not understate everything since the older side; null where that has no semantic version. */
  readonly nextVersion: string | null
  /** What was compared, by the name of its older side. */
  readonly comparedWith: string
  /** What could not be asked, in sentences. */
  readonly notes: readonly string[]
  /** The texts of the files that decided, beside that of the edit, by their paths. */
  readonly read: ReadonlyMap<string, string>
}

type Side = 'before' | 'after'

/** An API with its document in both states. */
interface Held {
  readonly api: ProjectApi
  readonly key: string
  /** With the overlays of the API. */
  readonly before: LaidDocument
  readonly after: LaidDocument
  readonly stores: Readonly<Record<Side, Store>>
}

const keyOf = (path: string): string => path.replaceAll('\\', '/')

const printOf = (change: Change): string =>
  JSON.stringify([change.fingerprint, change.message, change.severity, change.witness?.value ?? null])

const statuses = { broken: 0, unknown: 1, touched: 2, unaffected: 3 } as const

/** Evaluates edits of the files of one `svc.yaml`. */
export class Judge {
  readonly #around: Around
  readonly #file: ProjectFile
  readonly #guides: Guides
  readonly #breaking: Breaking

  constructor(around: Around, file: ProjectFile) {
    this.#around = { ...around, cwd: file.folder }
    this.#file = file
    this.#guides = new Guides(this.#around, { name: null, runsFunctions: false, folder: file.folder })
    this.#breaking = new Breaking(this.#around)
  }

  #storeWith({ path }: OpenedFile, text: string): Store {
    const store = new Store(new EditorTypes(this.#around))
    const languageId = /\.json$/i.test(path) ? 'json' : 'yaml'
    const opened = new OpenText({ uri: pathToFileURL(path).href, languageId, version: 1, text })
    store.open.set(opened.key, opened)
    return store
  }

  async #held(api: ProjectApi, stores: Held['stores']): Promise<Held | null> {
    const key = keyOf(api.root)
    const [before, after] = [await stores.before.read(key), await stores.after.read(key)]
    if (before === null || after === null) return null
    const project = { api, file: this.#file }
    const laid = (document: Document, side: Side): Promise<LaidDocument> =>
      withEditorOverlays(readTolerantly(document), project, stores[side])
    return { api, key, before: await laid(before, 'before'), after: await laid(after, 'after'), stores }
  }

  /** The APIs that a file is a part of; a description that belongs to none is one by itself. */
  async #apisOf(opened: OpenedFile, stores: Held['stores']): Promise<Held[]> {
    const key = keyOf(opened.path)
    const found: Held[] = []
    for (const api of this.#file.apis) {
      const held = await this.#held(api, stores)
      if (held === null) continue
      const refers = async (side: Side): Promise<boolean> =>
        held[side].overlays.includes(key) || Object.hasOwn(await stores[side].documentsOf(held[side].document), key)
      if (held.key === key || (await refers('before')) || (await refers('after'))) found.push(held)
    }
    if (found.length > 0) return found
    const own: ProjectApi = {
      ...this.#file.defaults,
      name: basename(opened.name, extname(opened.name)),
      root: opened.path,
      rootAt: { line: 0, character: 0 },
      files: [],
      project: null,
      overlays: [],
    }
    const held = await this.#held(own, stores)
    if (held === null || (held.before.document.format === null && held.after.document.format === null))
      throw new SvcError('file-refused', {
        name: opened.name,
        reason: 'it is no API description, and no API of svc.yaml refers to it',
      })
    return [held]
  }

  async #findings(held: Held, side: Side): Promise<readonly Finding[]> {
    const { key, stores } = held
    const { document, findings } = held[side]
    const applied = await this.#guides.of(key)
    if ('refused' in applied) throw new SvcError('usage', { reason: applied.refused })
    const { guide } = applied
    const rules = guide.rulesFor(key)
    const reach = await stores[side].reachOf(document)
    const linted = await lintTarget({ document, documents: reach.documents }, rules, {
      chosen: guide.chosen,
      name: guide.name,
      knowsTypes: reach.failure === null,
      ...(guide.options === undefined ? {} : { guide: guide.options }),
    })
    const placed = placeFindings(linted)
    const all = { ...placed, findings: [...findings, ...placed.findings] }
    return acceptedOf(all, applied, rules).map((it) => {
      const source = nameInProject(this.#file, it.source) ?? it.source
      return { ...it, source, fingerprint: fingerprintIn(source, it.fingerprint) }
    })
  }

  async #base({ compareWith }: ProjectApi, held: Held, notes: string[]) {
    if (compareWith === null) return null
    try {
      return await this.#breaking.sideOf(held.api, compareWith, this.#file)
    } catch (error) {
      if (!(error instanceof SvcError)) throw error
      notes.push(
        `${held.api.name} is compared with the file as it was, since its older side cannot be read: ${error.message}`,
      )
      return null
    }
  }

  /** What an edit changes against the older side, and everything that differs from that. */
  async #compare(held: Held, notes: string[]) {
    const { api, stores } = held
    const wholeAt = async (side: Side): Promise<Document> =>
      wholeOf(held[side].document, await stores[side].documentsOf(held[side].document))
    const [before, after] = [await wholeAt('before'), await wholeAt('after')]
    for (const [side, when] of [
      ['before', 'before the edit'],
      ['after', 'after it'],
    ] as const)
      if (held[side].failure !== null)
        notes.push(`${api.name} is compared without its overlays ${when}: ${held[side].failure}`)
    const older = await this.#base(api, held, notes)
    const { settings, consumers } = await this.#breaking.judgingOf(api, this.#file)
    const base = older?.base ?? before
    assertComparable(base, after, settings.mode)
    const whole = diff(base, after, engineOptions(settings))
    const known = older === null ? new Set<string>() : await knownBefore(base, before, settings)
    const changes = whole.changes.filter((it) => !known.has(printOf(it)))
    const asked =
      consumers === null ? null : await askConsumers(consumers, { ...whole, changes: [...changes] }, base, after)
    if (consumers === null && api.project !== null)
      notes.push(`The consumers of the project "${api.project}" are not known here.`)
    const version = documentVersionOf(base)
    return {
      name: older?.name ?? 'the file before the edit',
      shown: inOverlays(inFiles({ ...(asked?.result ?? { ...whole, changes }) }, base, after), base, after).changes,
      next: version === null ? null : nextVersion(version, stepOf(whole)),
      consumers: (asked?.consumers ?? []).map(({ handle, name, impact }): AffectedConsumer => {
        return { handle, name, status: impact?.status ?? 'unknown' }
      }),
    }
  }

  /**
   * What becomes of the APIs of a file with another text.
   * @throws SvcError `file-refused` for a file that is no part of an API; `usage`, `document-invalid` where nothing can be compared
   */
  async judge(opened: OpenedFile, text: string): Promise<Judgement> {
    // A revision moves and a guide is edited while the agent works.
    this.#guides.forget()
    const notes: string[] = []
    const stores = { before: this.#storeWith(opened, opened.text), after: this.#storeWith(opened, text) }
    const all = await this.#apisOf(opened, stores)
    const parts = []
    for (const held of all) {
      const [old, now] = [await this.#findings(held, 'before'), await this.#findings(held, 'after')]
      parts.push({ old, now, compared: await this.#compare(held, notes) })
    }
    const unlike = (some: readonly Finding[], others: readonly Finding[]): Finding[] => {
      const known = new Set(others.map(keyOfFinding))
      return some.filter((it) => !known.has(keyOfFinding(it)))
    }
    const changes = parts.flatMap(({ compared }) => compared.shown)
    const versions = parts.map(({ compared }) => compared.next)
    const consumers = new Map<string, AffectedConsumer>()
    for (const it of parts.flatMap(({ compared }) => compared.consumers)) {
      const other = consumers.get(it.handle)
      if (other === undefined || statuses[it.status] < statuses[other.status]) consumers.set(it.handle, it)
    }
    return {
      newFindings: distinct(parts.flatMap(({ old, now }) => unlike(now, old))),
      goneFindings: distinct(parts.flatMap(({ old, now }) => unlike(old, now))),
      verdict: tallyOf(changes).verdict,
      changes,
      consumers: [...consumers.values()].toSorted((a, b) => statuses[a.status] - statuses[b.status]),
      nextVersion: versions.length === 1 ? (versions[0] ?? null) : null,
      comparedWith: [...new Set(parts.map(({ compared }) => compared.name))].join(', '),
      notes,
      read: new Map([...stores.before.texts, ...stores.after.texts]),
    }
  }
}

/** What the file as it was differed in already. */
async function knownBefore(base: Document, before: Document, settings: Settings): Promise<ReadonlySet<string>> {
  try {
    assertComparable(base, before, settings.mode)
  } catch (error) {
    if (!(error instanceof SvcError)) throw error
    return new Set()
  }
  const found: DiffResult = diff(base, before, engineOptions(settings))
  return new Set(found.changes.map(printOf))
}
