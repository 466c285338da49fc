import type { Reader } from '../../db/database.ts'
import { diff } from '../../src/diff/diff.ts'
import type { DiffResult } from '../../src/diff/options.ts'
import type { Document } from '../../src/document/document.ts'
import { readTrusted } from '../../src/document/trusted.ts'
import type { Provenance } from '../../src/api/versions.ts'
import { composeSource, type JoinedSource } from '../../src/import/compose.ts'
import { readForRendering } from '../../src/import/importer.ts'
import type { RenderSource } from '../../src/render/source.ts'
import { parseDocument } from '../../src/document/parse.ts'
import { SizedCache } from '../byte-cache.ts'
import { readContent } from '../versions/content.ts'
import type { VersionRow } from '../versions/record.ts'
import { analyse, judgeAgain, type Analysis } from './analyse.ts'
import type { LintGuide } from './guide.ts'
import { digestOfDocument } from './digest.ts'
import { Impacts } from './impacts.ts'

const cachedChanges = 20_000
// Counted in characters of source text; the parsed values take several times that.
const cacheCharacters = 16 * 1024 * 1024

/** What findings call a stored document: its path where it was one of several files. */
const nameIn = ({ path, source }: Provenance): string => path ?? source

/** Reads stored versions as analysed documents, the last ones from memory. */
export class Analyst {
  readonly #cache = new SizedCache<Analysis>(cacheCharacters)
  readonly #documents = new SizedCache<Document>(cacheCharacters)
  readonly #comparisons = new SizedCache<DiffResult>(cachedChanges)
  readonly #judged = new SizedCache<Analysis>(cacheCharacters)
  readonly #now: () => Date
  /** What comparisons mean for the consumers of a project. */
  readonly impacts = new Impacts()

  constructor(now: () => Date) {
    this.#now = now
  }

  /** Keeps an analysis that was just made, for the calls that usually follow an import. */
  remember(tenantId: string, digest: string, analysis: Analysis): void {
    this.#cache.set(`${tenantId} ${digest}`, analysis, analysis.document.text.length)
  }

  /** The analysed document of a version under a guide; the recommended one where none is given. */
  async ofVersion(
    read: Reader,
    version: Pick<VersionRow, 'tenantId' | 'digest' | 'provenance' | 'format' | 'syntax'>,
    guide?: LintGuide,
  ): Promise<Analysis> {
    const analysis = await this.#read(read, version)
    return guide === undefined ? analysis : this.judge(analysis, version, guide)
  }

  /** An analysis under a guide, from memory where it was made before. */
  judge(analysis: Analysis, { tenantId, digest }: { tenantId: string; digest: string }, guide: LintGuide): Analysis {
    if (analysis.guide.digest === guide.digest) return analysis
    const key = `${tenantId} ${digest} ${analysis.document.source} ${guide.digest}`
    let judged = this.#judged.get(key)
    if (judged === undefined) {
      judged = judgeAgain(analysis, guide)
      this.#judged.set(key, judged, analysis.document.text.length)
    }
    return judged
  }

  async #read(
    read: Reader,
    version: Pick<VersionRow, 'tenantId' | 'digest' | 'provenance' | 'format' | 'syntax'>,
  ): Promise<Analysis> {
    const cached = this.#cache.get(`${version.tenantId} ${version.digest}`)
    if (cached) return cached
    const text = new TextDecoder().decode(await readContent(read, version.tenantId, version.digest))
    const analysis = analyse(text, {
      source: nameIn(version.provenance),
      format: version.format.kind,
      syntax: version.syntax,
      projectNameField: null,
    })
    this.remember(version.tenantId, version.digest, analysis)
    return analysis
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

  async #ownSource(
    read: Reader,
    version: Pick<VersionRow, 'tenantId' | 'digest' | 'provenance' | 'format' | 'syntax'>,
  ): Promise<RenderSource | null> {
    const cached = this.#cache.get(`${version.tenantId} ${version.digest}`)
    if (cached) return cached.spec
    const text = new TextDecoder().decode(await readContent(read, version.tenantId, version.digest))
    const { syntax, format } = version
    return readForRendering(readTrusted(text, { source: nameIn(version.provenance), syntax }), format.kind)
  }

  /** What changed between two documents, as of today; the same pair is compared once a day. */
  compare(base: Document, head: Document): DiffResult {
    const asOf = this.#now().toISOString().slice(0, 10)
    const key = `${asOf} ${digestOfDocument(base)} ${digestOfDocument(head)}`
    const known = this.#comparisons.get(key)
    if (known) return known
    const result = diff(base, head, { asOf })
    this.#comparisons.set(key, result, result.changes.length + 1)
    return result
  }
}
