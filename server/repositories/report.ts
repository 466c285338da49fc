import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { projects } from '../../db/tables.gen.ts'
import type { Deps } from '../deps.ts'
import type { OutboxPayloads } from '../outbox/events.ts'
import { recordEvent } from '../outbox/record.ts'
import type { BindingRow, CandidateRow } from '../bindings/record.ts'
import type { VersionRow } from '../versions/record.ts'
import type { RepositoryRow } from './record.ts'

async function ofVersion(tx: Transaction, { id, tenantId, projectId, label }: VersionRow) {
  const own = inTenant(projects, tenantId, eq(projects.id, projectId))
  const [project] = await tx.select({ slug: projects.slug }).from(projects).where(own)
  return { project_id: projectId, project_slug: project?.slug ?? '', version_id: id, label }
}

/** Reports a candidate of a bound draft, in the transaction that records it: of the draft, and of its repository where that is registered. */
export async function reportCandidate(
  deps: Deps,
  tx: Transaction,
  version: VersionRow,
  row: BindingRow,
  it: Pick<
    CandidateRow,
    'id' | 'fromCommit' | 'toCommit' | 'detectedBy' | 'detectedAt' | 'selectionChanged' | 'summary' | 'mergeState'
  >,
): Promise<void> {
  const { tenantId, repositoryId, provider } = row
  const about = {
    ...(await ofVersion(tx, version)),
    ref: row.ref,
    path: row.path,
    from_commit: it.fromCommit,
    to_commit: it.toCommit,
    detected_by: it.detectedBy,
    selection_changed: it.selectionChanged,
    max_severity: it.summary?.severity ?? null,
    verdict: it.summary?.verdict ?? null,
    merge: it.mergeState,
    provider,
    repository: row.repoFullName,
    binding_id: row.id,
    candidate_id: it.id,
  }
  const event = { tenantId, at: it.detectedAt }
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

/** Reports an imported file that was edited here and in the repository, in the transaction that holds it back. */
export async function reportHeld(
  deps: Deps,
  tx: Transaction,
  version: VersionRow,
  row: RepositoryRow,
  it: {
    readonly branch: string
    readonly path: string
    readonly fromCommit: string
    readonly toCommit: string
    readonly detectedBy: 'check' | 'webhook' | 'poll'
    readonly at: string
  },
): Promise<void> {
  const payload: Omit<OutboxPayloads['repository.sync_candidate'], 'sequence'> = {
    ...(await ofVersion(tx, version)),
    ref: it.branch,
    path: it.path,
    from_commit: it.fromCommit,
    to_commit: it.toCommit,
    detected_by: it.detectedBy,
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
  const event = { tenantId: row.tenantId, at: it.at, subjectId: row.id }
  await recordEvent(deps, tx, { ...event, type: 'repository.sync_candidate', payload })
}
