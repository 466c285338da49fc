/** Tells people of gateways that need them. */
import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { environments, memberships, tenants } from '../../db/tables.gen.ts'
import { effectiveRole, type Permission, rolePermissions } from '../../src/api/permissions.ts'
import type { Deps } from '../kit/door.ts'
import { sendNotifications } from '../notifications/door.ts'
import type { OutboxEvent } from '../outbox/door.ts'

type GatewayEvent = Extract<
  OutboxEvent,
  {
    readonly type:
      | 'gateway.silent'
      | 'gateway.release_failed'
      | 'gateway.approval_requested'
      | 'gateway.approval_given'
      | 'gateway.approval_not_applied'
  }
>

/** The active members who have a permission. */
async function membersWith(tx: Transaction, tenantId: string, permission: Permission): Promise<string[]> {
  const rows = await tx
    .select({ id: memberships.userId, role: memberships.role })
    .from(memberships)
    .where(inTenant(memberships, tenantId, eq(memberships.status, 'active')))
  return rows.filter(({ role }) => rolePermissions[effectiveRole(role)].has(permission)).map(({ id }) => id)
}

interface Notice {
  readonly title: string
  /** The same for those whom it does not concern; the title where it says so to everybody. */
  readonly generalTitle?: string
  /** The tab of the environment where one reads about it. */
  readonly tab: 'gateways' | 'releases' | 'approvals'
  readonly excerpt: string
  /** Who caused it; null for gateways. */
  readonly actor: string | null
  readonly people: readonly string[]
}

/** What an event says, and who is notified of it. */
async function noticeOf(tx: Transaction, { type, payload: it, tenantId }: GatewayEvent): Promise<Notice> {
  const name = it.environment_name
  switch (type) {
    case 'gateway.silent':
    case 'gateway.release_failed': {
      const people = await membersWith(tx, tenantId, 'security:view')
      const failed = 'reason' in it ? it.reason : null
      const titleOfFailure =
        it.enforcer_label === null
          ? `No release could be made for ${name}`
          : `The gateway ${it.enforcer_label} of ${name} could not use its release`
      const title = failed === null ? `The gateway ${it.enforcer_label ?? ''} of ${name} is silent` : titleOfFailure
      const tab = it.enforcer_id === null ? 'releases' : 'gateways'
      return { title, tab, excerpt: failed ?? '', actor: null, people }
    }
    case 'gateway.approval_requested': {
      const people = await membersWith(tx, tenantId, 'security:approve')
      return {
        title: `A change of the policy of ${name} needs approval`,
        tab: 'approvals',
        excerpt: it.summary.join(' '),
        actor: it.by,
        people: people.filter((id) => !it.requesters.includes(id)),
      }
    }
    case 'gateway.approval_given':
      return {
        title: `Your change of the policy of ${name} was approved${it.apply_when_approved === true ? ' and is made' : ''}`,
        generalTitle: `A change of the policy of ${name} was approved${it.apply_when_approved === true ? ' and is made' : ''}`,
        tab: 'approvals',
        excerpt: it.summary.join(' '),
        actor: it.by,
        people: it.requesters,
      }
    case 'gateway.approval_not_applied':
      return {
        title: `Your approved change of the policy of ${name} was not made`,
        generalTitle: `An approved change of the policy of ${name} was not made`,
        tab: 'approvals',
        excerpt: it.refusal ?? '',
        actor: it.by,
        people: it.requesters,
      }
  }
}

const longestExcerpt = 200

/** Notifies the members that an event concerns. An environment that is gone is not reported. */
export async function notifyOfGateway(deps: Deps, tx: Transaction, event: GatewayEvent): Promise<void> {
  const { tenantId, payload, type } = event
  const [row] = await tx
    .select({ slug: environments.slug })
    .from(environments)
    .where(inTenant(environments, tenantId, eq(environments.id, payload.environment_id)))
  const [tenant] = await tx.select({ slug: tenants.slug }).from(tenants).where(eq(tenants.id, tenantId))
  if (row === undefined || tenant === undefined) return
  const { title, generalTitle = title, tab, excerpt, actor, people } = await noticeOf(tx, event)
  const place = `${encodeURIComponent(tenant.slug)}/-/gateway/${encodeURIComponent(row.slug)}/${tab}`
  const notice = {
    title,
    url: `${deps.publicUrl()}/app/t/${place}`,
    ...(excerpt === '' ? {} : { excerpt: excerpt.slice(0, longestExcerpt) }),
    environment_id: payload.environment_id,
    event: type,
  }
  const general = { type: 'gateway', payload: { ...notice, title: generalTitle } } as const
  const about = { actor, projectId: null, versionId: null, general }
  await sendNotifications(tx, event, about, [{ type: 'gateway', people, payload: notice }])
}
