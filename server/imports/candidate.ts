import type { Gate } from '../../src/api/versions.ts'
import { SvcError } from '../../src/errors.ts'
import { apiHintOf } from '../../src/errors/api-hints.ts'
import type { LintGuide } from '../guide-rules/door.ts'
import type { Analysis, AnalysisService, AppliedOverlay, Shape } from '../analysis/door.ts'
import type { Deps } from '../kit/door.ts'
import { lintWithTypes } from '../used-types/door.ts'
import { effectiveGuide } from '../style-guides/door.ts'
import { digestOf } from '../../db/content.ts'
import type { ImportPayload } from './payload.ts'
import type { ImportCandidate, StoredLineage } from './persist.ts'
import type { SourceFile, SourceTexts } from '../sources/door.ts'

/** What a refusal leaves in the row of a job. */
export function refusal(error: SvcError) {
  const gates = error.code === 'publish-gates-failed' ? { gates: (error.detail as { gates: Gate[] }).gates } : {}
  const detail: object = error.detail
  return { ...detail, code: error.code, message: error.message, hint: apiHintOf(error), ...gates }
}

const shapeOf = ({ as, name, description }: ImportPayload['request']): Shape | null =>
  as === undefined && name === undefined && description === undefined ? null : { as, name, description }

/** How texts are read, and by which organization. */
interface Reading {
  readonly analysis: AnalysisService
  readonly tenantId: string
  readonly request: Pick<ImportPayload['request'], 'format' | 'project_name_field' | 'as' | 'name' | 'description'>
  readonly guide?: LintGuide
  readonly signal: AbortSignal
}

/** An action that selects nothing is mostly a mistake, and the import goes on. */
const withWarnings = (analysis: Analysis, overlaid: readonly AppliedOverlay[]): Analysis => ({
  ...analysis,
  warnings: [
    ...analysis.warnings,
    ...overlaid.flatMap(({ unmatched }) =>
      unmatched.map((message) => ({ code: 'overlay-unmatched', message, pointer: '' })),
    ),
  ],
})

/** The document ahead of its overlays, and the overlays, with the digests that they are stored by. */
const lineageOf = (texts: SourceTexts, overlaid: readonly AppliedOverlay[]): StoredLineage => ({
  texts: [texts.bytes, ...texts.overlays.map(({ bytes }) => bytes)],
  record: {
    base_digest: digestOf(texts.bytes),
    overlays: texts.overlays.map(({ path: source, bytes }, at) => ({
      digest: digestOf(bytes),
      title: overlaid[at]?.title ?? '',
      source,
      actions: overlaid[at]?.actions ?? 0,
      matches: overlaid[at]?.matches ?? 0,
    })),
  },
})

/**
 * Reads the texts of a document in an analysis process, and makes one of them.
 * @throws SvcError `source-refused`, `document-invalid`, `overlay-invalid`, `overlay-failed`, `analysis-stopped`
 */
export async function readDocument(
  texts: SourceTexts,
  { analysis: service, tenantId, request, guide, signal }: Reading,
): Promise<
  Pick<ImportCandidate, 'document' | 'digest' | 'analysis'> & { readonly overlaid: readonly AppliedOverlay[] }
> {
  const { path, joins, others, overlays } = texts
  const fileOf = (it: SourceFile) => ({ source: it.path, digest: digestOf(it.bytes), bytes: it.bytes })
  const read = await service.make(
    {
      tenantId,
      digest: digestOf(texts.bytes),
      bytes: texts.bytes,
      source: path,
      format: request.format ?? 'auto',
      projectNameField: request.project_name_field ?? null,
      joins,
      others: others.map(fileOf),
      overlays: overlays.map(fileOf),
      shape: shapeOf(request),
    },
    guide,
    signal,
  )
  const { made, overlaid } = read
  const analysis = overlaid === null ? read.analysis : withWarnings(read.analysis, overlaid)
  const bytes = made === null ? texts.bytes : new TextEncoder().encode(made.text)
  const document = {
    path,
    bytes,
    files: analysis.files,
    lineage: overlaid === null ? null : lineageOf(texts, overlaid),
    ...(made === null ? {} : { syntax: made.syntax }),
  }
  return { document, digest: digestOf(bytes), analysis, overlaid: overlaid ?? [] }
}

/** Makes a candidate of a document: everything that is known of it before the database is asked. */
export async function candidateOf(
  deps: Deps,
  payload: ImportPayload,
  texts: SourceTexts,
  rest: Pick<ImportCandidate, 'target' | 'maxFindings' | 'from'> & { readonly signal: AbortSignal },
): Promise<ImportCandidate> {
  const { signal, ...more } = rest
  const { request, tenant } = payload
  const { overlaid: _, ...read } = await readDocument(texts, {
    analysis: deps.analysis,
    tenantId: tenant.id,
    request,
    signal,
  })
  // The findings of what was made of several files point into these, those of the version into what is stored.
  if (read.document.syntax === undefined && texts.others.length === 0)
    deps.analysis.remember(tenant.id, read.digest, read.analysis)
  return { deps, payload, ...read, ...more }
}

/** The candidate under the style guide of the project that it goes to; of the tenant where that is still to be made. */
export async function underGuide(
  candidate: ImportCandidate,
  project: { readonly id: string } | null,
): Promise<ImportCandidate> {
  const { read } = candidate.deps.db
  const { guide } = await effectiveGuide(read, candidate.payload.tenant.id, project?.id ?? null)
  const analysis = await lintWithTypes(candidate.deps, read, candidate.analysis, guide)
  return analysis === candidate.analysis ? candidate : { ...candidate, analysis }
}

/** Why a document cannot be imported at all; null where nothing is against it. */
export function invalidity({ analysis, document }: ImportCandidate): SvcError | null {
  const [reason] = analysis.invalid
  if (reason === undefined) return null
  return analysis.refusal === 'format-unknown'
    ? new SvcError('format-unknown', { source: document.path, family: analysis.family })
    : new SvcError('document-invalid', { reason })
}
