/** What gateways recorded: listed, shown, and what an exception for it would be. */
import { and, eq, gte } from 'drizzle-orm'
import { isoOf } from '../../db/clock.ts'
import { contains, inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { securityEvents } from '../../db/tables.gen.ts'
import type { SecurityEvent } from '../../src/api/gateway-record-shapes.ts'
import type { ExceptionDraft } from '../../src/api/gateway-shapes.ts'
import { SvcError } from '../../src/errors.ts'
import { narrowestExemption } from '../../src/gateway-policy/door.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import { type Deps, readStablePage, type StablePage } from '../kit/door.ts'
import { findEnvironment, type EnvironmentRow, type EventRow } from './store.ts'

/** An event as the contract shows it. */
const eventRecord = (row: EventRow): SecurityEvent => ({
  id: row.id,
  at: row.at,
  environmentId: row.environmentId,
  enforcerId: row.enforcerId,
  releaseId: row.releaseId,
  source: row.source,
  region: row.region,
  ruleRef: row.ruleRef,
  groupId: row.groupId as SecurityEvent['groupId'],
  action: row.action as SecurityEvent['action'],
  route: row.route,
  pathShape: row.pathShape,
  method: row.method,
  status: row.status,
  count: row.count,
  firstAt: row.firstAt,
  lastAt: row.lastAt,
  client: { network: row.network, digest: row.clientDigest, country: row.country },
  score: row.score,
  matches: row.matches.map((it) => ({ ...it })),
  exceptionIds: [...row.exceptionIds],
  policyVersion: row.policyVersion,
  evidence: row.matches.map(({ field, length, digest }) => ({ field, length, hash: digest })),
})

export const eventFilters = ['action', 'route', 'releaseId', 'region', 'source'] as const
export type EventFilters = Partial<Record<(typeof eventFilters)[number] | 'ruleRef' | 'since', string | undefined>>

/** A page of events that meet all filters, most recent first. */
export async function listEvents(deps: Deps, grant: Grant, ref: string, filters: EventFilters, page: StablePage) {
  const { read } = deps.db
  const row = await findEnvironment(read, tenantOf(grant).id, ref)
  const { ruleRef, since } = filters
  const conditions = [
    ...eventFilters.map((name) => {
      const value = filters[name]
      return value === undefined ? undefined : eq(securityEvents[name], value)
    }),
    since === undefined ? undefined : gte(securityEvents.lastAt, new Date(since).toISOString()),
    ruleRef === undefined ? undefined : contains(securityEvents.ruleRefs, ` ${ruleRef} `),
  ]
  const where = inTenant(securityEvents, row.tenantId, and(eq(securityEvents.environmentId, row.id), ...conditions))
  const { rows, page: counts } = await readStablePage(read, securityEvents, {
    where,
    order: [securityEvents.at, securityEvents.id],
    page,
    added: securityEvents.at,
    now: deps.clock.iso(),
  })
  return { events: rows.map(eventRecord), count: rows.length, ...counts }
}

async function findEvent(read: Reader, row: EnvironmentRow, id: string): Promise<EventRow> {
  const [found] = await read
    .select()
    .from(securityEvents)
    .where(inTenant(securityEvents, row.tenantId, eq(securityEvents.environmentId, row.id), eq(securityEvents.id, id)))
  if (found === undefined) throw new SvcError('security-event-not-found', { event: id })
  return found
}

/** @throws SvcError `environment-not-found`, `security-event-not-found` */
export async function showEvent(deps: Deps, grant: Grant, ref: string, id: string): Promise<SecurityEvent> {
  const { read } = deps.db
  return eventRecord(await findEvent(read, await findEnvironment(read, tenantOf(grant).id, ref), id))
}

/** Short enough that its length needs no other person. */
const draftMs = 23 * 3_600_000

/**
 * The narrowest exception that would have let an event pass: its route, method and field, and the rules that matched there.
 * @throws SvcError `environment-not-found`, `security-event-not-found`, `exception-draft-impossible`
 */
export async function draftException(deps: Deps, grant: Grant, ref: string, id: string): Promise<ExceptionDraft> {
  const { read } = deps.db
  const event = await findEvent(read, await findEnvironment(read, tenantOf(grant).id, ref), id)
  const impossible = (reason: string) => new SvcError('exception-draft-impossible', { event: id, reason })
  const { route } = event
  if (route === null) throw impossible('the operation that it belongs to was not recorded')
  const { field, ruleRefs: refs } = narrowestExemption(event)
  if (refs.some((it) => it.startsWith('rate:'))) throw impossible('a rate limit has no exceptions')
  if (refs.some((it) => it.startsWith('rule:')))
    throw impossible('a custom rule matched; change that rule, so that its intention stays in one place')
  return {
    scope: { route, path: null, method: event.method, field },
    target: { groups: [], ruleRefs: [...refs] },
    reason: `False positive of ${refs.join(', ')}`,
    ticket: null,
    expiresAt: isoOf(deps.clock.now() + draftMs),
  }
}
