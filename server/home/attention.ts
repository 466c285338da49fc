import { and, asc, desc, eq, gte, isNull, lte } from 'drizzle-orm'
import type { Attention, AttentionKind } from '../../src/api/home.ts'
import { silentMs } from '../../src/gateway/door.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { agentKeys, apiKeys, environments, gatewayEnforcers, projects, versions } from '../../db/tables.gen.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { AssessedDraft } from './drafts.ts'
import { gradeConcerns, type StandingGuides } from './standing.ts'

const dayMs = 24 * 60 * 60 * 1000
/** What comes to its end within so many days needs attention. */
const soonDays = 30
/** Most rows of a kind that are read and counted. */
const mostRows = 1000

const named = ({ project, version }: Pick<AssessedDraft, 'project' | 'version'>) => ({
  project_slug: project.slug,
  project_name: project.name,
  version_slug: version.slug,
  label: version.label,
})

/** What is asked, and what was read for it already. */
interface Question {
  readonly read: Reader
  readonly grant: Grant
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly guides: StandingGuides
  readonly drafts: readonly AssessedDraft[]
}

interface Listed<T> {
  readonly count: number
  readonly items: readonly T[]
}

/** What was read as a whole, as it is shown. */
const listed = <T>(all: readonly T[], most: number): Listed<T> => ({ count: all.length, items: all.slice(0, most) })

function blocked({ drafts }: Question, most: number) {
  const all = drafts.flatMap(({ project, version, assessment }) =>
    assessment === null || assessment.isReady
      ? []
      : [{ ...named({ project, version }), failed: assessment.failed.map(({ id, message }) => ({ id, message })) }],
  )
  return listed(all, most)
}

function breaking({ drafts }: Question, most: number) {
  const all = drafts
    .flatMap(({ project, version, assessment }) =>
      assessment === null || assessment.baseLabel === null || assessment.breaking === 0
        ? []
        : [
            {
              ...named({ project, version }),
              base_label: assessment.baseLabel,
              breaking: assessment.breaking,
              affected: [...assessment.affected],
            },
          ],
    )
    .toSorted((a, b) => b.affected.length - a.affected.length)
  return listed(all, most)
}

const grades = ({ read, grant, guides }: Question, most: number) =>
  gradeConcerns(read, tenantOf(grant).id, guides, most)

async function sunsets({ read, grant, now }: Question, most: number) {
  const { id: tenantId } = tenantOf(grant)
  const { sunsetAt } = versions
  const until = new Date(now + soonDays * dayMs).toISOString()
  const due = inTenant(versions, tenantId, eq(versions.status, 'deprecated'), lte(sunsetAt, until))
  const rows = await read
    .select({
      project_slug: projects.slug,
      project_name: projects.name,
      version_slug: versions.slug,
      label: versions.label,
      sunsetAt,
    })
    .from(versions)
    .innerJoin(projects, inTenant(projects, tenantId, eq(projects.id, versions.projectId)))
    .where(due)
    .orderBy(asc(sunsetAt), asc(versions.id))
    .limit(most)
  const items = rows.map(({ sunsetAt: at, ...version }) => ({ ...version, sunset_at: at as string }))
  return { count: items.length < most ? items.length : await read.$count(versions, due), items }
}

async function gateways({ read, grant, now }: Question, most: number) {
  const { lastSeenAt, id, label } = gatewayEnforcers
  const { slug, name } = environments
  const { id: tenantId } = tenantOf(grant)
  const rows = await read
    .select({ id, label, lastSeenAt, slug, name })
    .from(gatewayEnforcers)
    .innerJoin(
      environments,
      and(eq(environments.id, gatewayEnforcers.environmentId), eq(environments.tenantId, tenantId)),
    )
    .where(inTenant(gatewayEnforcers, tenantId, lte(lastSeenAt, new Date(now - silentMs).toISOString())))
    .orderBy(desc(lastSeenAt), asc(id))
    .limit(mostRows)
  const all = rows.map((row) => ({
    environment_slug: row.slug,
    environment_name: row.name,
    enforcer_id: row.id,
    label: row.label,
    last_seen_at: row.lastSeenAt as string,
  }))
  return listed(all, most)
}

async function keys({ read, grant, now }: Question, most: number) {
  const { id: tenantId } = tenantOf(grant)
  const [from, until] = [new Date(now).toISOString(), new Date(now + soonDays * dayMs).toISOString()]
  const { expiresAt } = apiKeys
  const [rest, agents] = await Promise.all([
    read
      .select({ id: apiKeys.id, name: apiKeys.name, at: expiresAt })
      .from(apiKeys)
      .where(inTenant(apiKeys, tenantId, eq(apiKeys.enabled, true), gte(expiresAt, from), lte(expiresAt, until)))
      .limit(mostRows),
    read
      .select({ id: agentKeys.id, name: agentKeys.label, at: agentKeys.expiresAt })
      .from(agentKeys)
      .where(
        inTenant(
          agentKeys,
          tenantId,
          isNull(agentKeys.revokedAt),
          gte(agentKeys.expiresAt, from),
          lte(agentKeys.expiresAt, until),
        ),
      )
      .limit(mostRows),
  ])
  const all = [
    ...rest.map((it) => ({ kind: 'api-key' as const, id: it.id, name: it.name, expires_at: it.at as string })),
    ...agents.map((it) => ({ kind: 'agent-key' as const, id: it.id, name: it.name, expires_at: it.at })),
  ]
  return listed(
    all.toSorted((a, b) => (a.expires_at < b.expires_at ? -1 : 1)),
    most,
  )
}

/**
 * What needs attention, each kind counted, with the first of its items.
 * @param only the one kind that is asked for; null: all
 * @param most how many items of each kind are listed
 */
export async function attentionOf(question: Question, only: AttentionKind | null, most: number): Promise<Attention> {
  const { permissions } = question.grant
  const card = async <T>(
    kind: AttentionKind,
    may: boolean,
    list: (it: Question, most: number) => Listed<T> | Promise<Listed<T>>,
  ) => {
    if (!may || (only !== null && only !== kind)) return null
    const { count, items } = await list(question, most)
    return { count, items: [...items] }
  }
  const seesVersions = permissions.has('versions:view')
  const seesContracts = seesVersions && permissions.has('consumer_contracts:view')
  return {
    blocked: await card('blocked', seesVersions, blocked),
    breaking: await card('breaking', seesContracts, breaking),
    grades: await card('grades', seesVersions, grades),
    gateways: await card('gateways', permissions.has('security:view'), gateways),
    sunsets: await card('sunsets', seesVersions, sunsets),
    keys: await card('keys', permissions.has('api_keys:view'), keys),
  }
}
