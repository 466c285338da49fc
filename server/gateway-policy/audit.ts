/** The audit trail: shown, exported, verified. */
import { and, asc, eq, gt, isNotNull } from 'drizzle-orm'
import type { Reader } from '../../db/database.ts'
import { auditEvents, environments } from '../../db/tables.gen.ts'
import { ChainCheck } from '../../src/gateway-policy/audit.ts'
import { auditCsv } from '../../src/gateway-policy/csv.ts'
import { actorOf, chainRowOf, describeActors, type Grant, tenantOf, trailOf } from '../auth/door.ts'
import { type Deps, readStablePage, type StablePage } from '../kit/door.ts'
import { Reply } from '../http/door.ts'
import { appendAudit, findEnvironment, lockEnvironment, type EnvironmentRow } from './store.ts'

async function newest(read: Reader, row: EnvironmentRow, page: StablePage, now: string) {
  const trail = trailOf(row.tenantId, row.id)
  const { rows, page: counts } = await readStablePage(read, auditEvents, { ...trail, page, now })
  return { rows: rows.map(chainRowOf), counts }
}

/** A page of the audit trail, most recent first. */
export async function listAudit(deps: Deps, grant: Grant, ref: string, page: StablePage) {
  const { read } = deps.db
  const row = await findEnvironment(read, tenantOf(grant).id, ref)
  const { rows, counts } = await newest(read, row, page, deps.clock.iso())
  const people = await describeActors(
    read,
    row.tenantId,
    rows.map(({ actor }) => actor),
  )
  const shown = rows.map(({ environmentId: _id, ...it }) => ({
    ...it,
    actorName: people.get(it.actor)?.name ?? it.actor,
  }))
  return { rows: shown, count: rows.length, ...counts }
}

/**
 * The audit trail as CSV, most recent first. The export is a row of the trail before anything is answered.
 * @throws SvcError `environment-not-found`
 */
export async function exportAudit(deps: Deps, grant: Grant, ref: string, limit: number): Promise<Reply> {
  const { id: tenantId } = tenantOf(grant)
  const row = await deps.db.inTransaction(async (tx) => {
    const held = await lockEnvironment(tx, tenantId, ref)
    return appendAudit(tx, held, {
      actor: actorOf(grant) ?? 'system',
      action: 'audit.exported',
      target: 'audit',
      after: { limit },
      policyVersion: held.policyVersion,
      at: deps.clock.iso(),
    })
  })
  const first = { list: 'gateway-audit', limit, offset: 0, firstReadAt: null }
  const { rows, counts } = await newest(deps.db.read, row, first, deps.clock.iso())
  return new Reply({
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="security-audit-${row.slug}.csv"`,
    },
    body: auditCsv(rows, counts.total),
  })
}

const rowsAtOnce = 500

/** What is wrong with the audit trail of one environment, and how long it is. */
export interface ChainReport {
  readonly environmentId: string
  readonly slug: string | null
  readonly rows: number
  readonly problem: string | null
}

/** Follows every audit trail of the service; those of environments that were deleted have no known end. */
export async function checkAuditChains(read: Reader): Promise<ChainReport[]> {
  const ids = await read
    .selectDistinct({ id: auditEvents.environmentId })
    .from(auditEvents)
    .where(isNotNull(auditEvents.environmentId))
  const known = await read
    .select({
      id: environments.id,
      slug: environments.slug,
      count: environments.auditCount,
      hash: environments.auditHash,
    })
    .from(environments)
  const reports: ChainReport[] = []
  for (const id of new Set([...ids.flatMap((row) => row.id ?? []), ...known.map((row) => row.id)])) {
    const chain = new ChainCheck()
    let rows = 0
    for (let last = 0; ;) {
      const part = await read
        .select()
        .from(auditEvents)
        .where(and(eq(auditEvents.environmentId, id), gt(auditEvents.seq, last)))
        .orderBy(asc(auditEvents.seq))
        .limit(rowsAtOnce)
      for (const row of part) chain.add(chainRowOf(row))
      rows += part.length
      last = part.at(-1)?.seq ?? last
      if (part.length < rowsAtOnce) break
    }
    const head = known.find((it) => it.id === id)
    reports.push({ environmentId: id, slug: head?.slug ?? null, rows, problem: chain.end(head ?? null) })
  }
  return reports
}
