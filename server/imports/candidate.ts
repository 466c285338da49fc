import type { Gate } from '../../src/api/versions.ts'
import type { Path } from '../../src/document/json.ts'
import { parseDocument } from '../../src/document/parse.ts'
import type { Origin } from '../../src/import/bundle/bundle.ts'
import { shapeSchema } from '../../src/import/shape-schema.ts'
import { SvcError } from '../../src/errors.ts'
import type { Deps } from '../deps.ts'
import { effectiveGuide } from '../style-guides/effective.ts'
import { digestOf } from '../versions/content.ts'
import type { ImportPayload } from './payload.ts'
import type { ImportCandidate } from './persist.ts'
import type { Assembled } from './sources/assemble.ts'

/** What a refusal leaves in the row of a job. */
export function refusal(error: SvcError) {
  const gates = error.code === 'publish-gates-failed' ? { gates: (error.detail as { gates: Gate[] }).gates } : {}
  const detail: object = error.detail
  return { ...detail, code: error.code, message: error.message, hint: error.hint, ...gates }
}

// A JSON Schema in the shape that the request asks for; every other document stays as it is.
function shaped(document: Assembled, request: ImportPayload['request']): Assembled {
  const { as, name, description } = request
  if (as === undefined && name === undefined && description === undefined) return document
  const own = parseDocument(new TextDecoder().decode(document.bytes), {
    source: document.path,
    ...(document.syntax === undefined ? {} : { syntax: document.syntax }),
  })
  if (own.format?.kind !== 'json-schema') {
    if (as === undefined) return document
    throw new SvcError('source-refused', { source: document.path, reason: '"as" is for JSON Schemas only' })
  }
  if (own.problems.some(({ severity }) => severity === 'error')) return document
  const made = shapeSchema(own, { shape: as ?? 'schema', name, description })
  if (made === null) return document
  const originOf = (path: Path): Origin => {
    const from = made.pathOf(path)
    return document.originOf?.(from) ?? { document: own, path: from, range: own.locate(from) }
  }
  return { ...document, bytes: new TextEncoder().encode(made.text), syntax: 'json', originOf }
}

/** Makes a candidate of a document: everything that is known of it before the database is asked. */
export async function candidateOf(
  deps: Deps,
  payload: ImportPayload,
  given: Assembled,
  from: ImportCandidate['from'],
  rest: Pick<ImportCandidate, 'target' | 'maxFindings'>,
): Promise<ImportCandidate> {
  const { request, tenant } = payload
  const document = shaped(given, request)
  const digest = digestOf(document.bytes)
  const analysis = await deps.analysis.analyse({
    tenantId: tenant.id,
    digest,
    text: new TextDecoder().decode(document.bytes),
    source: document.path,
    format: request.format ?? 'auto',
    projectNameField: request.project_name_field ?? null,
    syntax: document.syntax,
    originOf: document.originOf,
    faults: document.faults,
  })
  // The findings of a bundle point into the author's files, those of the version into what is stored.
  if (document.originOf === undefined) deps.analysis.remember(tenant.id, digest, analysis)
  return { deps, payload, document, digest, analysis, from, ...rest }
}

/** The candidate under the style guide of the project that it goes to; of the tenant where that is still to be made. */
export async function underGuide(
  it: ImportCandidate,
  project: { readonly id: string } | null,
): Promise<ImportCandidate> {
  const { guide } = await effectiveGuide(it.deps.db.read, it.payload.tenant.id, project?.id ?? null)
  const analysis = await it.deps.analysis.judge(it.analysis, guide)
  return analysis === it.analysis ? it : { ...it, analysis }
}

/** Why a document cannot be imported at all; null where nothing stands against it. */
export function invalidity({ analysis, document }: ImportCandidate): SvcError | null {
  const [reason] = analysis.invalid
  if (reason === undefined) return null
  return analysis.refusal === 'format-unknown'
    ? new SvcError('format-unknown', { source: document.path })
    : new SvcError('document-invalid', { reason })
}
