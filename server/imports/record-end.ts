import type { Transaction } from '../../db/database.ts'
import type { Deps } from '../kit/door.ts'
import { recordEvent } from '../outbox/door.ts'
import { type ImportJobRow, sourceName } from './payload.ts'

/** Credentials and queries, which often hold a signature, stay here. */
const withoutSecrets = (source: string): string =>
  /^[a-z+]+:\/\//i.test(source) ? source.replace(/[?#].*$/s, '').replace(/\/\/[^/]*@/, '//') : source

/** Records how an import ended, in the transaction that ends its job. A dry run stores nothing and is not reported. */
export async function recordEnd(
  deps: Pick<Deps, 'wakeReaders' | 'clock'>,
  tx: Transaction,
  job: ImportJobRow,
): Promise<void> {
  const { request, source } = job.payload
  if (request.dry_run === true) return
  const about = { import_id: job.id, bulk: request.bulk === true, source: withoutSecrets(sourceName(source)) }
  const event = { tenantId: job.tenantId, subjectId: job.id, at: job.finishedAt ?? deps.clock.iso() }
  if (job.status === 'failed' || job.status === 'blocked') {
    const payload = { ...about, status: job.status, error_code: job.error?.code ?? null }
    await recordEvent(deps, tx, { ...event, type: 'import.failed', payload })
    return
  }
  if (job.status !== 'completed' && job.status !== 'completed_with_warnings') return
  const stored = job.result?.result ?? null
  const payload = {
    ...about,
    status: job.status,
    project_id: stored?.project_id ?? null,
    project_slug: stored?.project_slug ?? null,
    version_id: stored?.version_id ?? null,
    label: stored === null ? null : (job.result?.plan?.version.label ?? null),
    unchanged: stored?.unchanged ?? false,
    documents: job.result?.summary ?? null,
  }
  await recordEvent(deps, tx, { ...event, type: 'import.completed', payload })
}
