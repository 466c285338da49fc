import type { Transaction } from '../../db/database.ts'
import type { Deps } from '../kit/door.ts'
import { type OutboxPayloads, recordEvent } from '../outbox/door.ts'
import type { VersionRow } from '../records/door.ts'
import { eventVersion, type RepositoryRow } from '../repositories/door.ts'

/** Reports an imported file that was edited here and in the repository, in the transaction that holds it back. */
export async function reportHeld(
  deps: Deps,
  tx: Transaction,
  version: VersionRow,
  row: RepositoryRow,
  entry: {
    readonly branch: string
    readonly path: string
    readonly fromCommit: string
    readonly toCommit: string
    readonly detectedBy: 'check' | 'webhook' | 'poll'
    readonly at: string
  },
): Promise<void> {
  const payload: Omit<OutboxPayloads['repository.sync_candidate'], 'sequence'> = {
    ...(await eventVersion(tx, version)),
    ref: entry.branch,
    path: entry.path,
    from_commit: entry.fromCommit,
    to_commit: entry.toCommit,
    detected_by: entry.detectedBy,
    selection_changed: true,
    max_severity: null,
    verdict: null,
    merge: null,
    repository_id: row.id,
    provider: row.provider,
    repository: row.fullName,
    kind: 'import',
    binding_id: null,
    candidate_id: null,
  }
  const event = { tenantId: row.tenantId, at: entry.at, subjectId: row.id }
  await recordEvent(deps, tx, { ...event, type: 'repository.sync_candidate', payload })
}
