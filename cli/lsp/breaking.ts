/** What an edit breaks: the document of an API as it is typed, against what `svc.yaml` compares it with. */
import { resolve } from 'node:path'
import type { Change } from '../../src/diff/change.ts'
import { assertComparable } from '../../src/diff/comparable.ts'
import { diff } from '../../src/diff/diff.ts'
import { inFiles } from '../../src/diff/places.ts'
import type { Document } from '../../src/document/document.ts'
import { parsePointer } from '../../src/kernel/pointer.ts'
import { SvcError } from '../../src/errors.ts'
import { joinDocuments } from '../../src/import/bundle/document.ts'
import type { Finding } from '../../src/lint/finding.ts'
import { plural } from '../../src/kernel/plural.ts'
import type { CompareWith } from '../../src/project-file/compare-with.ts'
import type { ProjectApi } from '../../src/project-file/settings.ts'
import type { Documents } from '../../src/document/reference.ts'
import { typeScheme } from '../../src/kernel/type-ref.ts'
import { loadConfig } from '../configuration.ts'
import { hasWorkspace } from '../connection/workspace.ts'
import { askConsumers, readAsked, type ConsumerSelection } from '../diff/consumers.ts'
import { unasked } from '../diff/options.ts'
import { inOverlays } from '../diff/overlaid.ts'
import { isOverlaid } from '../../src/overlay/trace.ts'
import { engineOptions, type Settings } from '../diff/settings.ts'
import { readSource, readWhole } from '../input/document-side.ts'
import { sideOf } from '../project-file/base.ts'
import { apiSides } from '../project-file/compare.ts'
import type { ProjectFile } from '../project-file/find.ts'
import type { Checkable } from './checkable.ts'
import type { Around, InProject } from './guides.ts'

// How long the older side and the consumers are kept: a branch moves, a consumer is registered.
const keptMs = 60_000

type AskedOptions = Parameters<typeof apiSides>[3]['options']

const options: AskedOptions = {
  ...unasked,
  format: 'text',
  report: [],
  'allow-unknown': false,
  profile: undefined,
  config: undefined,
  severity: [],
  ignore: [],
  'as-of': undefined,
} as unknown as AskedOptions

/** The older side of a comparison. */
interface OlderSide {
  /** As a person calls it. */
  readonly name: string
  readonly base: Document
}

interface HowJudged {
  readonly settings: Settings
  readonly consumers: ConsumerSelection | null
}

interface Kept<T> {
  readonly at: number
  readonly value: Promise<T>
}

/** The breaking changes of documents, with the consumers that they affect. */
export class Breaking {
  readonly #around: Around
  readonly #bases = new Map<string, Kept<Document>>()
  readonly #asked = new Map<string, Kept<ConsumerSelection | null>>()

  constructor(around: Around) {
    this.#around = around
  }

  forget(): void {
    this.#bases.clear()
    this.#asked.clear()
  }

  #kept<T>(all: Map<string, Kept<T>>, name: string, read: () => Promise<T>): Promise<T> {
    const known = all.get(name)
    if (known !== undefined && performance.now() - known.at < keptMs) return known.value
    const value = read()
    all.set(name, { at: performance.now(), value })
    return value
  }

  /** Null where no workspace or service knows the consumers of the project. */
  async #consumersOf(project: string | null, around: Around): Promise<ConsumerSelection | null> {
    if (project === null) return null
    const { globals, env, cwd } = around
    if (globals.baseUrl === undefined && !hasWorkspace(loadConfig(around).values, env, cwd)) return null
    return readAsked(project, around).catch((error: unknown) => {
      if (error instanceof SvcError) return null
      throw error
    })
  }

  /**
   * What the document of an API is compared with.
   * @throws SvcError where the older side cannot be read, or `svc.yaml` cannot be used
   */
  async sideOf(api: ProjectApi, compareWith: CompareWith, file: ProjectFile): Promise<OlderSide> {
    const around = { ...this.#around, cwd: file.folder }
    const name = sideOf(compareWith, api.root, file.folder)
    const base = await this.#kept(this.#bases, `${file.folder}\n${name}`, async () =>
      readWhole(await readSource(name, around)),
    )
    return { name, base }
  }

  /**
   * How the changes of an API are compared, and the consumers that are registered for it: null where none can be known.
   * @throws SvcError where `svc.yaml` or what it names cannot be used
   */
  async judgingOf(api: ProjectApi, file: ProjectFile): Promise<HowJudged> {
    const around = { ...this.#around, cwd: file.folder }
    const consumers = await this.#kept(this.#asked, `${file.folder}\n${api.project}`, () =>
      this.#consumersOf(api.project, around),
    )
    const sides = await apiSides(api, api.root, file, { ...around, given: new Set(), options, args: {} } as never)
    return { settings: sides.settings, consumers }
  }

  /**
   * The breaking changes of the document of an API, each at its place; none for other documents.
   * @param pause called often; it may throw to end the comparison
   * @throws SvcError where the older side cannot be read or compared
   */
  async findings({ key, laid, documents }: Checkable, project: InProject, pause: () => void): Promise<Finding[]> {
    const { file, api } = project
    const { document } = laid
    const compareWith = api?.compareWith ?? null
    if (api === null || compareWith === null || resolve(key) !== resolve(api.root) || document.value === null) return []
    const { name, base } = await this.sideOf(api, compareWith, file)
    const { settings, consumers } = await this.judgingOf(api, file)
    const head = wholeOf(document, documents)
    assertComparable(base, head, settings.mode)
    const found = diff(base, head, { ...engineOptions(settings), pause })
    const whole = consumers === null ? found : (await askConsumers(consumers, found, base, head)).result
    return inOverlays(inFiles(whole, base, head), base, head)
      .changes.filter((it) => it.severity === 'breaking')
      .map((it) => findingOf(it, document, key, name))
  }
}

/** A document and what it refers to, as one. */
export function wholeOf(document: Document, documents: Documents): Document {
  const others = Object.values(documents)
  return others.length === 0 ? document : joinDocuments(document, others, (place) => place)
}

function findingOf(change: Change, document: Document, key: string, base: string): Finding {
  const { id, message, consumers, classification, fingerprint } = change
  // What breaks by a registered type is shown in the document that refers to it.
  const isOfType = change.head?.source?.startsWith(typeScheme) === true
  // What was removed is shown at what held it.
  const path = isOfType ? [] : (parsePointer(change.head?.pointer ?? change.base?.pointer ?? '') ?? [])
  const written = isOverlaid(document) ? document.writtenAt(path) : { document, path }
  const range = (isOfType ? null : change.head?.range) ?? written.document.locate(written.path, { key: true })
  const source = isOfType ? key : (change.head?.source ?? written.document.source)
  const verb = classification === 'unknown' ? 'may break' : 'breaks'
  const who =
    consumers.length === 0
      ? `${verb === 'breaks' ? 'breaking' : 'undecided'} against ${base}`
      : `${verb} ${plural(consumers.length, 'consumer')} (${consumers.slice(0, 3).join(', ')}${consumers.length > 3 ? ' …' : ''}) against ${base}`
  return {
    code: id,
    severity: 'warning',
    message: `${message.replace(/\.$/, '')}: ${who}.`,
    path,
    pointer: isOfType ? '' : (change.head?.pointer ?? ''),
    source,
    range,
    fingerprint,
    documentationUrl: null,
    fix: null,
  }
}
