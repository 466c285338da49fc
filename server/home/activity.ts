import { and, desc, eq, gt, inArray, isNull, lte } from 'drizzle-orm'
import type { AuditAction } from '../../src/api/audit-actions.ts'
import type { Activity } from '../../src/api/home.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { auditEvents, projects, versionChanges, versions } from '../../db/tables.gen.ts'
import { describeActors, trailOf } from '../auth/door.ts'

/** What is shown of versions. */
const actions = [
  'version.imported',
  'version.created',
  'version.document-replaced',
  'version.published',
  'version.published-by-force',
  'review.requested',
] as const satisfies readonly AuditAction[]

/** So many events are read for one page: repetitions become one sentence. */
const mostEvents = 200
const mostShown = 15
const hourMs = 60 * 60 * 1000
const minuteMs = 60 * 1000

type Event = Omit<Activity, 'others'> & { readonly actorId: string | null }

const isPublication = ({ action }: Event): boolean => action.startsWith('version.published')
const between = (a: Event, b: Event): number => Math.abs(Date.parse(a.at) - Date.parse(b.at))

interface Line {
  /** The newest of what it says. */
  readonly first: Event
  /** How many more there are of it. */
  readonly others: number
}

/**
 * Joins what one reader takes for one thing: the import that published a version is shown as its publication, and the same done to
 * many within an hour is shown once, with how many others there were.
 * @param events newest first
 */
export function linesOf(events: readonly Event[]): readonly Line[] {
  const published = events.filter(isPublication)
  const isPartOf = (entry: Event): boolean =>
    (entry.action === 'version.imported' || entry.action === 'version.created') &&
    published.some(
      (other) =>
        other.project_slug === entry.project_slug &&
        other.version_slug === entry.version_slug &&
        between(other, entry) < minuteMs,
    )
  const lines: { first: Event; others: number }[] = []
  for (const event of events) {
    if (isPartOf(event)) continue
    const last = lines.at(-1)
    const isSame =
      last !== undefined &&
      last.first.action === event.action &&
      last.first.actorId === event.actorId &&
      between(last.first, event) < hourMs
    // A publication with breaking changes is never one of many.
    const isGrave = event.severity === 'breaking' || last?.first.severity === 'breaking'
    if (last !== undefined && isSame && !isGrave) last.others += 1
    else lines.push({ first: event, others: 0 })
  }
  return lines
}

/** How often someone did within an hour what a line begins with: the events that were read may end in the middle of it. */
async function countOf(read: Reader, tenantId: string, { action, actorId, at }: Event): Promise<number> {
  const [kind, id] =
    actorId === null ? [null, null] : [actorId.slice(0, actorId.indexOf(':')), actorId.slice(actorId.indexOf(':') + 1)]
  const since = new Date(Date.parse(at) - hourMs).toISOString()
  return read.$count(
    auditEvents,
    inTenant(
      auditEvents,
      tenantId,
      eq(auditEvents.action, action),
      id === null ? isNull(auditEvents.actorId) : eq(auditEvents.actorId, id),
      kind === null ? undefined : eq(auditEvents.actorKind, kind as typeof auditEvents.$inferSelect.actorKind),
      gt(auditEvents.createdAt, since),
      lte(auditEvents.createdAt, at),
    ),
  )
}

/** What happened to versions lately, newest first. */
export async function recentActivity(read: Reader, tenantId: string): Promise<Activity[]> {
  const trail = trailOf(tenantId, null, inArray(auditEvents.action, [...actions]))
  const rows = await read
    .select({
      event: auditEvents,
      project: { slug: projects.slug, name: projects.name },
      version: { slug: versions.slug, label: versions.label },
      change: { id: versionChanges.id, severity: versionChanges.maxSeverity, base: versionChanges.baselineVersionId },
    })
    .from(auditEvents)
    .innerJoin(versions, and(eq(versions.id, auditEvents.targetId), eq(versions.tenantId, tenantId)))
    .innerJoin(projects, inTenant(projects, tenantId, eq(projects.id, versions.projectId)))
    .leftJoin(versionChanges, inTenant(versionChanges, tenantId, eq(versionChanges.versionId, versions.id)))
    .where(trail.where)
    .orderBy(...trail.order.map((column) => desc(column)))
    .limit(mostEvents)
  const actorOf = ({ actorKind, actorId }: typeof auditEvents.$inferSelect) =>
    actorId === null ? null : `${actorKind}:${actorId}`
  const names = await describeActors(
    read,
    tenantId,
    rows.map(({ event }) => actorOf(event)),
  )
  const events = rows.map(({ event, project, version, change }): Event => {
    const actor = actorOf(event)
    const published = event.action.startsWith('version.published')
    return {
      id: event.id,
      at: event.createdAt,
      action: event.action,
      actor: names.get(actor ?? '')?.name ?? 'The service',
      actorId: actor,
      means: event.means,
      project_slug: project.slug,
      project_name: project.name,
      version_slug: version.slug,
      label: version.label,
      severity: published ? (change?.severity ?? null) : null,
      initial: published && change !== null && change.base === null,
    }
  })
  const lines = linesOf(events)
  const isCut = rows.length === mostEvents
  const shown = lines.slice(0, mostShown).map(async (line): Promise<Activity> => {
    const { first, others } = line
    const { actorId: _actor, ...activity } = first
    const all = isCut && line === lines.at(-1) ? (await countOf(read, tenantId, first)) - 1 : others
    return { ...activity, others: Math.max(all, others) }
  })
  return Promise.all(shown)
}
