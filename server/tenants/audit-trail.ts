import { and, eq, gte, inArray, like, lt } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import {
  agentKeys,
  apiKeys,
  auditEvents,
  environments,
  mcpKeys,
  projects,
  repositories,
  styleGuides,
  users,
  versions,
  webhookSubscriptions,
} from '../../db/tables.gen.ts'
import type { AuditRecord } from '../../src/api/tenants.ts'
import { type Grant, inParts, tenantOf, trailOf } from '../auth/door.ts'
import { type PageAnswer, type Deps, readStablePage, type StablePage } from '../kit/door.ts'

/** Which events are asked for; null: all. */
interface AuditFilter {
  /** An action, or a kind of them: "member.*". */
  readonly action: string | null
  /** Id of a person or a key. */
  readonly actor: string | null
  /** Id of what something was done to. */
  readonly target: string | null
  /** Date-times: from the first on, and before the second. */
  readonly since: string | null
  readonly until: string | null
}

/** Written as the trail writes its own moments, so that texts compare as moments do. */
const moment = (given: string): string => new Date(given).toISOString()

function auditCondition({ action, actor, target, since, until }: AuditFilter) {
  const kind = action === null ? null : (/^([a-z-]+)\.\*$/.exec(action)?.[1] ?? null)
  return and(
    action === null || kind !== null ? undefined : eq(auditEvents.action, action),
    kind === null ? undefined : like(auditEvents.action, `${kind}.%`),
    actor === null ? undefined : eq(auditEvents.actorId, actor),
    target === null ? undefined : eq(auditEvents.targetId, target),
    since === null ? undefined : gte(auditEvents.createdAt, moment(since)),
    until === null ? undefined : lt(auditEvents.createdAt, moment(until)),
  )
}

type Row = typeof auditEvents.$inferSelect

interface Name {
  readonly name: string
  /** Path of its page in the application, if it has one. */
  readonly path: string | null
}

interface Place {
  readonly id: string
  readonly slug: string
}

/** Path of a page of the application. */
const pathTo = (tenant: Place, ...parts: readonly string[]): string =>
  `/app/${['t', tenant.slug, ...parts].map(encodeURIComponent).join('/')}`

/** What has a page of its own and is not a version, by its id. */
async function readThings(read: Reader, tenant: Place, ids: string[]): Promise<[string, Name][]> {
  const rows = [
    (
      await read
        .select({ id: projects.id, name: projects.slug, ref: projects.slug })
        .from(projects)
        .where(inTenant(projects, tenant.id, inArray(projects.id, ids)))
    ).map((it) => ({ ...it, under: [] })),
    (
      await read
        .select({ id: styleGuides.id, name: styleGuides.name, ref: styleGuides.id })
        .from(styleGuides)
        .where(inTenant(styleGuides, tenant.id, inArray(styleGuides.id, ids)))
    ).map((it) => ({ ...it, under: ['-', 'style-guides'] })),
    (
      await read
        .select({ id: repositories.id, name: repositories.fullName, ref: repositories.id })
        .from(repositories)
        .where(inTenant(repositories, tenant.id, inArray(repositories.id, ids)))
    ).map((it) => ({ ...it, under: ['-', 'repositories'] })),
    (
      await read
        .select({ id: webhookSubscriptions.id, name: webhookSubscriptions.url, ref: webhookSubscriptions.id })
        .from(webhookSubscriptions)
        .where(inTenant(webhookSubscriptions, tenant.id, inArray(webhookSubscriptions.id, ids)))
    ).map((it) => ({ ...it, under: ['-', 'webhooks'] })),
    (
      await read
        .select({ id: environments.id, name: environments.name, ref: environments.slug })
        .from(environments)
        .where(inTenant(environments, tenant.id, inArray(environments.id, ids)))
    ).map((it) => ({ ...it, under: ['-', 'gateway'] })),
  ]
  return rows.flat().map(({ id, name, ref, under }) => [id, { name, path: pathTo(tenant, ...under, ref) }])
}

async function readVersions(read: Reader, tenant: Place, ids: string[]) {
  const rows = await read
    .select({ id: versions.id, project: projects.slug, label: versions.label, slug: versions.slug })
    .from(versions)
    .innerJoin(projects, inTenant(projects, tenant.id, eq(projects.id, versions.projectId)))
    .where(inTenant(versions, tenant.id, inArray(versions.id, ids)))
  return rows.map(({ id, project, label, slug }) => {
    return [id, { name: `${project}@${label}`, path: pathTo(tenant, project, slug) }] as const
  })
}

/** People, keys, versions and other things by their ids, as the trail names them. */
async function readNames(read: Reader, tenant: Place, rows: readonly Row[]): Promise<ReadonlyMap<string, Name>> {
  const names = new Map<string, Name>()
  const ids = [...new Set(rows.flatMap((it) => [it.actorId ?? [], it.targetId ?? []].flat()))]
  for (const part of inParts(ids)) {
    const keys = { id: apiKeys.id, name: apiKeys.name }
    const found = [
      await read.select({ id: users.id, name: users.name }).from(users).where(inArray(users.id, part)),
      await read
        .select(keys)
        .from(apiKeys)
        .where(inTenant(apiKeys, tenant.id, inArray(apiKeys.id, part))),
      await read
        .select({ id: agentKeys.id, name: agentKeys.label })
        .from(agentKeys)
        .where(inTenant(agentKeys, tenant.id, inArray(agentKeys.id, part))),
      await read
        .select({ id: mcpKeys.id, name: mcpKeys.label })
        .from(mcpKeys)
        .where(inTenant(mcpKeys, tenant.id, inArray(mcpKeys.id, part))),
    ]
    for (const { id, name } of found.flat()) names.set(id, { name, path: null })
    const things = [...(await readThings(read, tenant, part)), ...(await readVersions(read, tenant, part))]
    for (const [id, name] of things) names.set(id, name)
  }
  return names
}

// What events keep of the name of their target, so that what is gone still has one; the first that is there.
const nameFields = ['email', 'handle', 'repository', 'label', 'name', 'ref', 'login', 'url', 'cidr', 'to'] as const

const keptName = ({ targetId, detail }: Row): string | null =>
  targetId === null
    ? null
    : ((nameFields.map((it) => detail[it]).find((it) => typeof it === 'string' && it !== '') ?? null) as string | null)

/** The audit trail of a tenant, newest first, with the names of the people and things in it. */
export async function listAudit(
  deps: Deps,
  grant: Grant,
  page: StablePage & AuditFilter,
): Promise<PageAnswer & { readonly items: AuditRecord[] }> {
  const { read } = deps.db
  const tenant = tenantOf(grant)
  const trail = trailOf(tenant.id, null, auditCondition(page))
  const { rows, page: counts } = await readStablePage(read, auditEvents, { ...trail, page, now: deps.clock.iso() })
  const names = await readNames(read, tenant, rows)
  const items = rows.map((row) => {
    const target = names.get(row.targetId ?? '')
    return {
      id: row.id,
      actor_kind: row.actorKind,
      actor_id: row.actorId,
      actor_name: names.get(row.actorId ?? '')?.name ?? null,
      means: row.means,
      action: row.action,
      target_id: row.targetId,
      target_name: target?.name ?? keptName(row),
      target_url: target?.path ? `${deps.publicUrl()}${target.path}` : null,
      detail: row.detail,
      created_at: row.createdAt,
    }
  })
  return { items, ...counts }
}
