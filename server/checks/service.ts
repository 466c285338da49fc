import type { CheckedDocument, checksApi } from '../../src/api/checks.ts'
import type { Input, Output } from '../../src/api/endpoint.ts'
import { SvcError } from '../../src/errors.ts'
import { explain } from '../../src/explain/explain.ts'
import { isObject, type Json } from '../../src/kernel/json.ts'
import { digestOf } from '../../db/content.ts'
import { type OutputOf, type Subject, subjectOf, withTypes } from '../analysis/door.ts'
import type { DocumentService } from '../documents/door.ts'
import { findBuiltin, type LintGuide, recommendedGuide } from '../guide-rules/door.ts'
import type { Deps } from '../kit/door.ts'
import { findReadable, type FoundSpec, type Viewer } from '../specs/door.ts'
import { effectiveGuide, findGuide, lintGuideOf } from '../style-guides/door.ts'
import { typedSubject, typesNow } from '../used-types/door.ts'
import { Windows } from './windows.ts'

type Body<K extends 'lint' | 'diff' | 'contains'> = Input<(typeof checksApi)[K]>['body']
type Answer<K extends 'lint' | 'diff' | 'contains'> = Output<(typeof checksApi)[K]>

const textLimitBytes = 10_000_000
const defaultLimit = 50
/** A document to be checked. */
interface Checked {
  readonly subject: Subject
  /** The version that it is; null for a text. */
  readonly stored: FoundSpec | null
}

/** Whose share of the analysis processes a question takes. */
export const payerOf = ({ principal, tenants }: Viewer): string =>
  tenants[0] ?? (principal === null || !('tenantId' in principal) ? 'anonymous' : principal.tenantId)

/** Answers questions about documents. */
export class Checks {
  readonly #deps: Deps
  readonly #documents: DocumentService
  readonly #lints = new Windows<OutputOf<'check-text'>>('checked_texts')
  readonly #pairs = new Windows<OutputOf<'check-pair'>>('checked_pairs')

  constructor(deps: Deps, documents: DocumentService) {
    this.#deps = deps
    this.#documents = documents
  }

  /**
   * Lints a document.
   * @throws SvcError `usage`, `body-too-large`, `spec-not-found`, `format-unknown`, `style-guide-not-found`, `analysis-stopped`
   */
  async lint(
    viewer: Viewer,
    { document, guide: named, from = 0, limit = defaultLimit }: Body<'lint'>,
  ): Promise<Answer<'lint'>> {
    const checked = await this.#open(viewer, document, 'document')
    const guide = await this.#guideOf(viewer, checked, named)
    const { analysis } = this.#deps
    const key = JSON.stringify([payerOf(viewer), checked.subject.key, guide.id, guide.digest])
    const { items, ...found } = await this.#lints.page(key, { from, limit }, (from, limit) =>
      analysis.run(payerOf(viewer), 'check-text', { guide, from, limit }, [checked.subject]),
    )
    return { guide: guide.name, ...found, findings: items }
  }

  /**
   * Compares two documents.
   * @throws SvcError `usage`, `body-too-large`, `spec-not-found`, `document-invalid`, `analysis-stopped`
   */
  async diff(
    viewer: Viewer,
    { base, head, direction, from = 0, limit = defaultLimit }: Body<'diff'>,
  ): Promise<Answer<'diff'>> {
    const [older, newer] = [await this.#open(viewer, base, 'base'), await this.#open(viewer, head, 'head')]
    const { analysis } = this.#deps
    const options = analysis.optionsOf(direction === undefined ? {} : { mode: direction })
    const live = await this.#consumersOf(viewer, older)
    const subjects = [older.subject, newer.subject]
    const revisions = live.map((it) => [it.id, it.revision, it.name])
    const key = JSON.stringify([payerOf(viewer), subjects.map((it) => it.key), options, revisions])
    const { items, ...found } = await this.#pairs.page(key, { from, limit }, (from, limit) =>
      analysis.run(payerOf(viewer), 'check-pair', { options, live, from, limit }, subjects),
    )
    return { ...found, changes: items }
  }

  /**
   * Decides containment.
   * @throws SvcError `usage`, `body-too-large`, `spec-not-found`, `class-not-found`, `document-invalid`, `analysis-stopped`
   */
  async contains(viewer: Viewer, { a, b, dialect = '2020-12' }: Body<'contains'>): Promise<Answer<'contains'>> {
    const subjects = [await this.#schema(viewer, a as Json, 'a'), await this.#schema(viewer, b as Json, 'b')]
    return this.#deps.analysis.run(payerOf(viewer), 'contains', { dialect }, subjects)
  }

  #text(viewer: Viewer, text: string, source: string): Subject {
    const bytes = new TextEncoder().encode(text)
    if (bytes.byteLength > textLimitBytes) throw new SvcError('body-too-large', { limit_bytes: textLimitBytes })
    return subjectOf({ tenantId: payerOf(viewer), digest: digestOf(bytes), bytes, source, format: 'auto' })
  }

  async #open(viewer: Viewer, { text, spec, version }: CheckedDocument, source: string): Promise<Checked> {
    const { read } = this.#deps.db
    if ((text === undefined) === (spec === undefined))
      throw new SvcError('usage', { reason: `Give "${source}" either a "text" or a "spec"` })
    if (text === undefined) {
      const stored = await findReadable(read, viewer, spec ?? '', version)
      return { subject: await typedSubject(this.#deps, read, stored.version), stored }
    }
    if (version !== undefined) throw new SvcError('usage', { reason: `"version" goes with "spec", not with a "text"` })
    const subject = this.#text(viewer, text, source)
    // Types of an organization are for those who belong to it.
    const types = viewer.tenants.length === 0 ? [] : (await typesNow(this.#deps, read, [subject])).used
    return { subject: withTypes(subject, types), stored: null }
  }

  // A document with one of these fields is where a schema is; anything else is the schema itself.
  async #schema(viewer: Viewer, given: Json, name: string): Promise<Subject> {
    const isPlace = isObject(given) && (typeof given.text === 'string' || typeof given.spec === 'string')
    if (!isPlace) return this.#text(viewer, JSON.stringify(given), name)
    if (typeof given.text === 'string') return this.#text(viewer, given.text, name)
    const { spec, version, schema } = given
    if (
      typeof spec !== 'string' ||
      typeof schema !== 'string' ||
      (version !== undefined && typeof version !== 'string')
    )
      throw new SvcError('usage', { reason: `Name the schema in "${name}": {"spec", "version", "schema"}` })
    const found = await findReadable(this.#deps.db.read, viewer, spec, version)
    const { bytes } = await this.#documents.render(found.version, {
      kind: 'json-schema',
      className: schema,
      syntax: 'json',
      refs: 'bundle',
    })
    return this.#text(viewer, new TextDecoder().decode(bytes), `${name}: ${schema}`)
  }

  async #guideOf(viewer: Viewer, { stored }: Checked, named: string | undefined): Promise<LintGuide> {
    const { read } = this.#deps.db
    const own =
      stored !== null && viewer.tenants.includes(stored.version.tenantId) ? stored.version.tenantId : undefined
    const tenantId = own ?? viewer.tenants[0]
    if (named !== undefined) {
      if (tenantId !== undefined) return lintGuideOf(await findGuide(read, tenantId, named))
      const builtin = findBuiltin(named)
      if (builtin === null) throw new SvcError('style-guide-not-found', { guide: named })
      return lintGuideOf({ builtin, row: null })
    }
    if (tenantId === undefined) return recommendedGuide
    return (await effectiveGuide(read, tenantId, own === undefined ? null : (stored?.version.projectId ?? null))).guide
  }

  // Agents see no consumers.
  async #consumersOf({ principal, tenants }: Viewer, { stored }: Checked) {
    const maySee = principal?.kind === 'user' || principal?.kind === 'api-key'
    if (stored === null || !maySee || !tenants.includes(stored.version.tenantId)) return []
    const { tenantId, projectId } = stored.version
    return this.#deps.analysis.impacts.consumersOf(this.#deps.db.read, tenantId, projectId)
  }
}

/**
 * What a code means.
 * @throws SvcError `usage` for one that nothing has, with the nearest
 */
export async function explainCode(id: string): Promise<{ id: string; kind: string; text: string }> {
  const { data, text } = await explain(id)
  return { id, kind: data.kind, text }
}
