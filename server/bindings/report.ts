import type { Transaction } from '../../db/database.ts'
import type { Deps } from '../kit/door.ts'
import { recordEvent } from '../outbox/door.ts'
import type { VersionRow } from '../records/door.ts'
import { eventVersion } from '../repositories/door.ts'
import type { BindingRow, CandidateRow } from './record.ts'

/** Reports a candidate of a bound draft, in the transaction that records it: of the draft, and of its repository where that is registered. */
export async function reportCandidate(
  deps: Deps,
  tx: Transaction,
  version: VersionRow,
  row: BindingRow,
  candidateRow: Pick<
    CandidateRow,
    'id' | 'fromCommit' | 'toCommit' | 'detectedBy' | 'detectedAt' | 'selectionChanged' | 'summary' | 'mergeState'
  >,
): Promise<void> {
  const { tenantId, repositoryId, provider } = row
  const about = {
    ...(await eventVersion(tx, version)),
    ref: row.ref,
    path: row.path,
    from_commit: candidateRow.fromCommit,
    to_commit: candidateRow.toCommit,
    detected_by: candidateRow.detectedBy,
    selection_changed: candidateRow.selectionChanged,
    max_severity: candidateRow.summary?.severity ?? null,
    verdict: candidateRow.summary?.verdict ?? null,
    merge: candidateRow.mergeState,
    provider,
    repository: row.repoFullName,
    binding_id: row.id,
    candidate_id: candidateRow.id,
  }
  const event = { tenantId, at: candidateRow.detectedAt }
  const payload = { ...about, repository_id: repositoryId }
  await recordEvent(deps, tx, { ...event, type: 'binding.candidate', subjectId: row.id, payload })
  if (repositoryId === null) return
  await recordEvent(deps, tx, {
    ...event,
    type: 'repository.sync_candidate',
    subjectId: repositoryId,
    payload: { ...about, repository_id: repositoryId, kind: 'binding' },
  })
}
