import type { Clock } from '../../db/clock.ts'
import type { Reader } from '../../db/database.ts'
import { diff } from '../../src/diff/diff.ts'
import type { DiffOptions, DiffResult } from '../../src/diff/options.ts'
import type { Document } from '../../src/document/document.ts'
import { readTrusted } from '../../src/document/trusted.ts'
import type { Provenance } from '../../src/api/versions.ts'
import { composeSource, type JoinedSource } from '../../src/import/compose.ts'
import { readForRendering } from '../../src/import/importer.ts'
import type { RenderSource } from '../../src/render/source.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { SizedCache } from '../sized-cache.ts'
import { readContent } from '../versions/content.ts'
import type { VersionRow } from '../versions/record.ts'
import { SvcError } from '../../src/errors.ts'
import type { Analysis, Authorship, Facts, Opened, Subject, Verdict } from './analysis.ts'
import { conclude } from './conclude.ts'
import { Engine } from './engine.ts'
import { recommendedGuide, type LintGuide } from './guide.ts'
import { lazyDocument } from './lazy-document.ts'
import type { AnalysisPool } from './pool.ts'
import { namedOf, type Named } from './wire.ts'
import { digestOfDocument } from './digest.ts'
import { Impacts } from './impacts.ts'

const cachedChanges = 20_000
// Counted in characters of source text; the parsed values take several times that.
const cacheCharacters = 16 * 1024 * 1024

/** What findings call a stored document: its path where it was one of several files. */
const nameIn = ({ path, source }: Provenance): string => path ?? source

type StoredText = Pick<VersionRow, 'tenantId' | 'digest' | 'provenance' | 'format' | 'syntax'>

/** How a comparison is judged, beside the day. */
export type CompareOptions = Omit<DiffOptions, 'pause'>

/** What is to be analysed: a text of a tenant, and how it is to be read. */
export interface AnalysisRequest extends Authorship {
  readonly tenantId: string
  /** The digest of its bytes. */
  readonly digest: string
  readonly text: string
  readonly source: string
  readonly format: string
  readonly projectNameField?: string | null
  readonly syntax?: 'json' | 'yaml' | undefined
}

function subjectOf(request: AnalysisRequest): Subject {
  const { tenantId, digest, text, source, format, projectNameField = null, syntax = null } = request
  const key = JSON.stringify([tenantId, digest, source, format, projectNameField, syntax])
  return { key, text, source, format, projectNameField, syntax }
}

// Two guides with the same rules are still two: an answer names the one that was asked for.
const guideKey = ({ id, name, digest }: Pick<LintGuide, 'id' | 'name' | 'digest'>): string =>
  JSON.stringify([id, name, digest])

const tenantIn = ({ key }: Subject): string => (JSON.parse(key) as [string])[0]

/**
 * Reads stored versions as analysed documents, the last ones from memory. Where it is given a pool, everything is analysed and
 * compared in other processes, within limits; elsewhere all is done in this one.
 */
export class AnalysisService {
  readonly #cache = new SizedCache<Analysis>(cacheCharacters)
  readonly #documents = new SizedCache<Document>(cacheCharacters)
  readonly #comparisons = new SizedCache<DiffResult>(cachedChanges)
  readonly #judged = new SizedCache<Analysis>(cacheCharacters)
  readonly #engine = new Engine()
  readonly #clock: Clock
  readonly #pool: AnalysisPool | null
  /** What comparisons mean for the consumers of a project. */
  readonly impacts = new Impacts()

  constructor(clock: Clock, pool: AnalysisPool | null = null) {
    this.#clock = clock
    this.#pool = pool
  }

  /** Keeps an analysis that was just made, for the calls that usually follow an import. */
  remember(tenantId: string, digest: string, analysis: Analysis): void {
    this.#cache.set(`${tenantId} ${digest}`, analysis, analysis.subject.text.length)
  }

  /**
   * Parses, imports, validates, lints and grades a text. Never throws for a bad document: what is wrong stands in `invalid`
   * and `findings`.
   * @param guide the recommended one where it is left out
   * @throws SvcError `analysis-stopped` where it broke the limits of the server
   */
  async analyse(request: AnalysisRequest, guide: LintGuide = recommendedGuide): Promise<Analysis> {
    const { originOf, faults } = request
    const subject = subjectOf(request)
    const { facts, verdict } = await this.#look(subject, guide)
    const authorship = { ...(originOf === undefined ? {} : { originOf }), ...(faults === undefined ? {} : { faults }) }
    const document = this.#engine.known(subject.key)?.document ?? lazyDocument(subject, facts)
    return conclude({ subject, facts, authorship, document }, verdict, guide)
  }

  /**
   * A document from outside, parsed within the limits.
   * @throws SvcError `document-invalid` with the first error and its place, `analysis-stopped`
   */
  async open(tenantId: string, digest: string, text: string, source: string): Promise<Document> {
    const subject = subjectOf({ tenantId, digest, text, source, format: 'auto' })
    const opened = this.#pool === null ? this.#engine.open(subject) : await this.#openElsewhere(this.#pool, subject)
    if (opened.fault !== null) throw new SvcError('document-invalid', { reason: opened.fault })
    return lazyDocument(subject, opened, opened)
  }

  async #openElsewhere(pool: AnalysisPool, subject: Subject): Promise<Opened> {
    const answer = await pool.run(tenantIn(subject), { kind: 'open', subject: namedOf(subject) }, [subject])
    if (answer.kind !== 'opened') throw new Error(`opening a document answered ${answer.kind}`)
    return answer.opened
  }

  // The size of a text says nothing of what it costs to read and judge it: small ones go to the pool too.
  async #look(subject: Subject, guide: LintGuide): Promise<{ facts: Facts; verdict: Verdict }> {
    if (this.#pool === null) return this.#engine.look(subject, guide)
    const { id, name, source } = guide
    const answer = await this.#pool.run(
      tenantIn(subject),
      { kind: 'look', subject: namedOf(subject), guide: { id, name, source } },
      [subject],
    )
    if (answer.kind !== 'looked') throw new Error(`an analysis answered ${answer.kind}`)
    return answer
  }

  /** The analysed document of a version under a guide; the recommended one where none is given. Raises `analysis-stopped`. */
  async ofVersion(read: Reader, version: StoredText, guide?: LintGuide): Promise<Analysis> {
    const cached = this.#cache.get(`${version.tenantId} ${version.digest}`)
    if (cached) return guide === undefined ? cached : this.judge(cached, guide)
    const text = new TextDecoder().decode(await readContent(read, version.tenantId, version.digest))
    const { tenantId, digest, provenance, format, syntax } = version
    const analysis = await this.analyse(
      { tenantId, digest, text, source: nameIn(provenance), format: format.kind, syntax },
      guide,
    )
    this.remember(version.tenantId, version.digest, analysis)
    return analysis
  }

  /** The same document under another guide, from memory where that was asked before. Raises `analysis-stopped`. */
  async judge(analysis: Analysis, guide: LintGuide): Promise<Analysis> {
    if (guideKey(analysis.guide) === guideKey(guide)) return analysis
    const { subject, authorship } = analysis
    // What several files became is not stored as one: its places are asked for once.
    const isShared = authorship.originOf === undefined && authorship.faults === undefined
    const key = `${subject.key} ${guideKey(guide)}`
    const known = isShared ? this.#judged.get(key) : undefined
    if (known !== undefined) return known
    const { verdict } = await this.#look(subject, guide)
    const judged = conclude(analysis, verdict, guide)
    if (isShared) this.#judged.set(key, judged, subject.text.length)
    return judged
  }

  /** A stored document, only parsed: for those who ask for no findings. The analysed one where that is at hand. */
  async documentOf(read: Reader, it: { tenantId: string; digest: string; source: string }): Promise<Document> {
    const key = `${it.tenantId} ${it.digest}`
    const known = this.#cache.get(key)?.document ?? this.#documents.get(key)
    if (known) return known
    const text = new TextDecoder().decode(await readContent(read, it.tenantId, it.digest))
    const document = parseDocument(text, { source: it.source })
    this.#documents.set(key, document, text.length)
    return document
  }

  /**
   * What a version is rendered from: of its analysis where that is at hand, else read anew without validating and linting
   * what was validated before it was stored. Null where the document cannot be read.
   */
  async renderableOf(
    read: Reader,
    version: Pick<VersionRow, 'tenantId' | 'digest' | 'provenance' | 'format' | 'syntax' | 'joined'>,
  ): Promise<RenderSource | null> {
    const base = await this.#ownSource(read, version)
    if (base === null || version.joined === null) return base
    const joined: JoinedSource[] = []
    for (const { kind, syntax, provenance } of version.joined) {
      const text = new TextDecoder().decode(await readContent(read, version.tenantId, provenance.digest))
      const source = readForRendering(readTrusted(text, { source: nameIn(provenance), syntax }), kind)
      if (source !== null) joined.push({ kind, source })
    }
    return composeSource(base, joined)
  }

  async #ownSource(read: Reader, version: StoredText): Promise<RenderSource | null> {
    const cached = this.#cache.get(`${version.tenantId} ${version.digest}`)
    const reading = cached && this.#engine.known(cached.subject.key)
    if (reading) return reading.spec
    const text = new TextDecoder().decode(await readContent(read, version.tenantId, version.digest))
    const { syntax, format } = version
    return readForRendering(readTrusted(text, { source: nameIn(version.provenance), syntax }), format.kind)
  }

  /** What changed between two documents, as of today where no other day is given; the same pair is compared once a day. Raises `analysis-stopped`. */
  async compare(tenantId: string, base: Document, head: Document, asked: CompareOptions = {}): Promise<DiffResult> {
    const options = { asOf: this.#clock.iso().slice(0, 10), ...asked }
    const key = `${JSON.stringify(options)} ${digestOfDocument(base)} ${digestOfDocument(head)}`
    const known = this.#comparisons.get(key)
    if (known) return known
    const result = await this.#compare(tenantId, base, head, options)
    this.#comparisons.set(key, result, result.changes.length + 1)
    return result
  }

  async #compare(tenantId: string, base: Document, head: Document, options: DiffOptions): Promise<DiffResult> {
    if (this.#pool === null) return diff(base, head, options)
    const subjects = [base, head].map((it) => {
      const { text, source, syntax } = it
      return subjectOf({ tenantId, digest: digestOfDocument(it), text, source, syntax, format: 'auto' })
    })
    const [first, second] = subjects.map(namedOf) as [Named, Named]
    const answer = await this.#pool.run(tenantId, { kind: 'compare', base: first, head: second, options }, subjects)
    if (answer.kind !== 'compared') throw new Error(`a comparison answered ${answer.kind}`)
    return answer.result
  }
}
