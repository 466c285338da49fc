import { SvcError } from '../../src/errors.ts'
import { analyse } from '../analysis/analyse.ts'
import { digestOf } from '../versions/content.ts'
import type { ImportPayload } from './payload.ts'
import type { Candidate } from './persist.ts'
import type { Assembled } from './sources/assemble.ts'

/** What a refusal leaves in the row of a job. */
export function refusal(error: SvcError) {
  return { ...error.detail, code: error.code, message: error.message, hint: error.hint }
}

/** Makes a candidate of a document: everything that is known of it before the database is asked. */
export function candidateOf(
  services: Pick<Candidate, 'deps' | 'analyst'>,
  payload: ImportPayload,
  document: Assembled,
  from: Candidate['from'],
  rest: Pick<Candidate, 'wishes' | 'maxFindings'>,
): Candidate {
  const { request, tenant } = payload
  const analysis = analyse(new TextDecoder().decode(document.bytes), {
    source: document.path,
    format: request.format ?? 'auto',
    projectNameField: request.project_name_field ?? null,
    ...(document.syntax === undefined ? {} : { syntax: document.syntax }),
    originOf: document.originOf,
    faults: document.faults,
  })
  const digest = digestOf(document.bytes)
  // The findings of a bundle point into the author's files, those of the version into what is stored.
  if (document.originOf === undefined) services.analyst.remember(tenant.id, digest, analysis)
  return { ...services, payload, document, digest, analysis, from, ...rest }
}

/** Why a document cannot be imported at all; null where nothing stands against it. */
export function invalidity({ analysis, document }: Candidate): SvcError | null {
  const [reason] = analysis.invalid
  if (reason === undefined) return null
  return analysis.refusal === 'format-unknown'
    ? new SvcError('format-unknown', { source: document.path })
    : new SvcError('document-invalid', { reason })
}
