import type { Clock } from '../../db/clock.ts'
import type { Stored } from '../../db/objects/objects.ts'
import type { JoinedDocument, Provenance } from '../../src/api/version-shapes.ts'
import type { StyleGuideRule } from '../../src/api/style-guide-shapes.ts'
import type { Change } from '../../src/diff/change.ts'
import type { DiffOptions, DiffResult } from '../../src/diff/options.ts'
import { SizedCache } from '../../src/kernel/sized-cache.ts'
import { digestOfRules, type LintGuide, recommendedGuide, type RuleSource } from '../guide-rules/door.ts'
import { readContent } from '../../db/content.ts'
import type { VersionRow } from '../records/door.ts'
import type { Analysis } from './analysis.ts'
import type { Engine } from './engine.ts'
import { Impacts, type LiveConsumer, type ProjectImpact } from './impacts.ts'
import type { AppliedOverlay } from './material.ts'
import { packChanges, unpackResult, withConsumers } from './packed-changes.ts'
import type { AnalysisPool } from './pool.ts'
import type { Work } from './process.ts'
import {
  contentKey,
  materialOf,
  subjectOf,
  tenantIn,
  withTypes,
  type AnalysisRequest,
  type Subject,
  type Text,
  type TypeText,
} from './subject.ts'
import { tasks, type InputOf, type OutputOf, type TaskName } from './tasks/registry.ts'

const cachedChanges = 20_000
const cachedRules = 50_000
// Counted in bytes of source text; what is found of it takes several times that.
const cacheBytes = 16 * 1024 * 1024

/** What findings call a stored document: its path where it was one of several files. */
const nameIn = ({ path, source }: Provenance): string => path ?? source

type StoredText = Pick<VersionRow, 'tenantId' | 'digest' | 'provenance' | 'format' | 'syntax' | 'sizeBytes'>

/** How a comparison is evaluated, beside the day. */
export type CompareOptions = Omit<DiffOptions, 'pause'>

/** About how many bytes what was found of a document takes, in the unit of the caches: without its text. */
const sizeFound = ({ findings, operations, words, classNames }: Analysis): number =>
  65_536 +
  400 * findings.length +
  200 * operations.length +
  20 * classNames.length +
  words.reduce((sum, { title, body }) => sum + title.length + body.length, 0)

/** A document that was looked at, with the text that was made of several files or by overlays. */
export interface Made {
  readonly analysis: Analysis
  readonly made: { readonly text: string; readonly syntax: 'json' | 'yaml' } | null
  /** What its overlays did, in their order; null where none was applied. */
  readonly overlaid: readonly AppliedOverlay[] | null
}

// Two guides with the same rules are still two: an answer names the one that was asked for.
const guideKey = ({ id, name, digest }: Pick<LintGuide, 'id' | 'name' | 'digest'>): string =>
  JSON.stringify([id, name, digest])

/**
 * Has documents read, evaluated and compared, and keeps the last answers. Where it is given a pool, everything is done in other
 * processes, within limits; elsewhere all is done in this one.
 */
export class AnalysisService {
  readonly #cache = new SizedCache<Analysis>(cacheBytes, 'analyses')
  readonly #comparisons = new SizedCache<DiffResult>(cachedChanges, 'comparisons')
  readonly #judged = new SizedCache<Analysis>(cacheBytes, 'analyses_of_guides')
  readonly #rules = new SizedCache<readonly StyleGuideRule[]>(cachedRules, 'rules')
  readonly #texts = new SizedCache<Uint8Array>(cacheBytes, 'texts')
  #engine: Engine | null = null
  readonly #clock: Clock
  readonly #stored: Stored
  readonly #pool: AnalysisPool | null
  /** What comparisons mean for the consumers of a project. */
  readonly impacts = new Impacts()

  /** @param stored has the texts of stored versions, whatever transaction asks for them */
  constructor(clock: Clock, stored: Stored, pool: AnalysisPool | null = null) {
    this.#clock = clock
    this.#stored = stored
    this.#pool = pool
  }

  /**
   * Does a task.
   * @throws SvcError `analysis-stopped` where it broke the limits of the server, and what the task refuses
   */
  async run<N extends TaskName>(
    tenantId: string,
    name: N,
    input: InputOf<N>,
    subjects: readonly Subject[] = [],
    more: Pick<Work, 'reply' | 'signal'> = {},
  ): Promise<OutputOf<N>> {
    if (this.#pool === null) return this.#here(name, input, subjects, more)
    const done = await this.#pool.run(tenantId, { name, input, subjects, ...more })
    return (done.kind === 'bytes' ? done.bytes : done.value) as OutputOf<N>
  }

  /** The bytes of a text, the last ones from memory: a key has the digest of its bytes. A pool keeps them in its processes. */
  async #bytesOf({ key, load }: Text): Promise<Uint8Array> {
    const known = this.#texts.get(key)
    if (known !== undefined) return known
    const bytes = await load()
    this.#texts.set(key, bytes, bytes.byteLength)
    return bytes
  }

  async #here<N extends TaskName>(
    name: N,
    input: InputOf<N>,
    subjects: readonly Subject[],
    { reply }: Pick<Work, 'reply'>,
  ): Promise<OutputOf<N>> {
    const texts = new Map<string, Uint8Array>()
    for (const text of subjects.flatMap((it) => it.texts))
      if (!texts.has(text.key)) texts.set(text.key, await this.#bytesOf(text))
    const bytesOf = (key: string): Uint8Array => texts.get(key) ?? new Uint8Array()
    const { run } = (await tasks[name]()) as unknown as { run: (input: InputOf<N>, desk: object) => OutputOf<N> }
    const engine = (this.#engine ??= new (await import('./engine.ts')).Engine())
    return run(input, {
      engine,
      materials: subjects.map((it) => materialOf(it, bytesOf)),
      pace: () => {},
      used: () => 0,
      ask: reply,
    })
  }

  /**
   * The rules of a guide that a tenant wrote, the last ones from memory.
   * @throws SvcError `custom-rules-invalid`, `analysis-stopped`
   */
  async rulesOf(tenantId: string, source: RuleSource): Promise<readonly StyleGuideRule[]> {
    const digest = digestOfRules(source)
    const known = this.#rules.get(digest)
    if (known) return known
    const { settings, customRules } = source
    const { list } = await this.run(tenantId, 'rules', { settings, customRules })
    this.#rules.set(digest, list, list.length + 1)
    return list
  }

  /** Keeps an analysis that was just made, for the calls that usually follow an import. */
  remember(tenantId: string, digest: string, analysis: Analysis): void {
    this.#cache.set(`${tenantId} ${digest}`, analysis, analysis.subject.size)
  }

  /**
   * Parses, imports, validates, lints and grades a text. Never throws for a bad document: what is wrong is in `invalid`
   * and `findings`.
   * @param guide the recommended one where it is left out
   * @throws SvcError `analysis-stopped` where it broke the limits of the server
   */
  async analyse(request: AnalysisRequest, guide: LintGuide = recommendedGuide): Promise<Analysis> {
    const subject = subjectOf(request)
    return this.look(subject, guide)
  }

  /**
   * The same for what is known as a subject.
   * @param beside for the surface of an MCP server: what was approved, and the tools of other servers
   * @throws SvcError `analysis-stopped`
   */
  async look(subject: Subject, guide: LintGuide, beside?: InputOf<'look'>['beside']): Promise<Analysis> {
    const input = { guide, wantsText: false, ...(beside === undefined ? {} : { beside }) }
    const { conclusion } = await this.run(tenantIn(subject), 'look', input, [subject])
    return { subject, lintedAs: subject.key, ...conclusion }
  }

  /**
   * The same for a document that may be made of several files, with its text.
   * @throws SvcError `analysis-stopped`, and what making the document refuses
   */
  async make(request: AnalysisRequest, guide: LintGuide = recommendedGuide, signal?: AbortSignal): Promise<Made> {
    const subject = subjectOf(request)
    const looked = await this.run(tenantIn(subject), 'look', { guide, wantsText: true }, [subject], { signal })
    return {
      analysis: { subject, lintedAs: subject.key, ...looked.conclusion },
      made: looked.made,
      overlaid: looked.overlaid,
    }
  }

  /** The text of a stored version. */
  subjectOf(version: StoredText): Subject {
    const { tenantId, digest, provenance, format, syntax, sizeBytes } = version
    const bytes = () => readContent(this.#stored, tenantId, digest)
    const source = nameIn(provenance)
    return subjectOf({ tenantId, digest, bytes, size: sizeBytes, source, format: format.kind, syntax })
  }

  /** A stored text of which nothing else is known. */
  textOf(tenantId: string, digest: string, source: string): Subject {
    return subjectOf({
      tenantId,
      digest,
      bytes: () => readContent(this.#stored, tenantId, digest),
      source,
      format: 'auto',
    })
  }

  /** The text of a document that joined a version. */
  joinedSubjectOf(tenantId: string, { kind, syntax, provenance }: JoinedDocument): Subject {
    const { digest } = provenance
    const bytes = () => readContent(this.#stored, tenantId, digest)
    return subjectOf({ tenantId, digest, bytes, source: nameIn(provenance), format: kind, syntax })
  }

  /**
   * What a version holds, whatever a guide says of it.
   * @param guide the one that it is linted under, where nothing is known of it yet
   * @throws SvcError `analysis-stopped`
   */
  async ofVersion(version: StoredText, guide: LintGuide = recommendedGuide): Promise<Analysis> {
    const { tenantId, digest } = version
    const cached = this.#cache.get(`${tenantId} ${digest}`)
    if (cached) return cached
    const analysis = await this.look(this.subjectOf(version), guide)
    // Its text is in the database: a document of megabytes with few findings leaves room for others.
    this.#cache.set(`${tenantId} ${digest}`, analysis, Math.min(analysis.subject.size, sizeFound(analysis)))
    return analysis
  }

  /**
   * The same document under a guide and linted with registered types, from memory where that was asked before: the same
   * schemas are the same types.
   * @param types those that it refers to, directly or through each other
   * @throws SvcError `analysis-stopped`
   */
  async judge(analysis: Analysis, guide: LintGuide, types: readonly TypeText[]): Promise<Analysis> {
    const { subject, lintedAs } = analysis
    const typed = withTypes(subject, types)
    if (lintedAs === typed.key && guideKey(analysis.guide) === guideKey(guide)) return analysis
    const key = `${typed.key} ${guideKey(guide)}`
    const known = this.#judged.get(key)
    if (known !== undefined) return known
    const judged = { ...(await this.look(typed, guide)), subject }
    this.#judged.set(key, judged, subject.size)
    return judged
  }

  /**
   * What changed between two documents, as of today where no other day is given; the same pair is compared once a day.
   * @throws SvcError `analysis-stopped`
   */
  async compare(base: Subject, head: Subject, asked: CompareOptions = {}): Promise<DiffResult> {
    const options = this.optionsOf(asked)
    const key = `${JSON.stringify(options)} ${contentKey(base)} ${contentKey(head)}`
    const known = this.#comparisons.get(key)
    if (known) return known
    const result = unpackResult(await this.run(tenantIn(head), 'compare', options, [base, head]))
    // The largest are kept too: a transaction that publishes asks again and must not wait.
    this.#comparisons.set(key, result, Math.min(result.changes.length + 1, cachedChanges / 4))
    return result
  }

  /** How a comparison is evaluated, as of today where no other day is given. */
  optionsOf(asked: CompareOptions): DiffOptions {
    return { asOf: this.#clock.iso().slice(0, 10), ...asked }
  }

  /**
   * What a comparison means for consumers.
   * @throws SvcError `analysis-stopped`
   */
  async impactOf(
    base: Subject,
    head: Subject,
    { changes }: { readonly changes: readonly Change[] },
    live: readonly LiveConsumer[],
  ): Promise<ProjectImpact> {
    return this.impacts.of({ base, head, changes, live }, async () => {
      const asked = { packed: packChanges(changes), live }
      const { consumers, touched } = await this.run(tenantIn(head), 'impact', asked, [base, head])
      return { consumers, changes: withConsumers(changes, touched) }
    })
  }
}
