import type { AnalysisService, InputOf, OutputOf } from '../analysis/door.ts'
import { SizedCache } from '../../src/kernel/sized-cache.ts'
import type { VersionRow } from '../records/door.ts'

// Counted in characters of JSON.
const cacheCharacters = 16 * 1024 * 1024

type Overview = OutputOf<'overview'>
type Part = OutputOf<'part'>

/** What agents ask of stored documents, the last answers from memory. */
export class SpecDocuments {
  readonly #overviews = new SizedCache<Overview>(cacheCharacters, 'overviews')
  readonly #parts = new SizedCache<{ readonly part: Part }>(cacheCharacters, 'parts')
  readonly #analysis: AnalysisService

  constructor(analysis: AnalysisService) {
    this.#analysis = analysis
  }

  /**
   * What the document of a version is as a whole.
   * @throws SvcError `analysis-stopped`
   */
  async overviewOf(version: VersionRow): Promise<Overview> {
    const key = `${version.tenantId} ${version.digest}`
    const known = this.#overviews.get(key)
    if (known) return known
    const overview = await this.#analysis.run(version.tenantId, 'overview', {}, [this.#analysis.subjectOf(version)])
    this.#overviews.set(key, overview, JSON.stringify(overview).length)
    return overview
  }

  /**
   * A part of the document of a version; null where it is not there.
   * @throws SvcError `analysis-stopped`
   */
  async partOf(version: VersionRow, asked: InputOf<'part'>): Promise<Part> {
    const key = JSON.stringify([version.tenantId, version.digest, asked])
    const known = this.#parts.get(key)
    if (known) return known.part
    const part = await this.#analysis.run(version.tenantId, 'part', asked, [this.#analysis.subjectOf(version)])
    this.#parts.set(key, { part }, key.length + JSON.stringify(part).length)
    return part
  }
}
