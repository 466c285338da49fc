/** Tells people of gateways that need them. */
import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { environments, memberships, tenants } from '../../db/tables.gen.ts'
import { effectiveRole, rolePermissions } from '../../src/api/permissions.ts'
import type { Deps } from '../deps.ts'
import { sendNotifications } from '../notifications/send.ts'
import type { OutboxEvent } from '../outbox/events.ts'

type GatewayEvent = Extract<OutboxEvent, { readonly type: 'gateway.silent' | 'gateway.release_failed' }>

/** Who may see what gateways do. */
async function viewersOf(tx: Transaction, tenantId: string): Promise<string[]> {
  const rows = await tx
    .select({ id: memberships.userId, role: memberships.role })
    .from(memberships)
    .where(inTenant(memberships, tenantId, eq(memberships.status, 'active')))
  return rows.filter(({ role }) => rolePermissions[effectiveRole(role)].has('security:view')).map(({ id }) => id)
}

function titleOf(event: GatewayEvent): string {
  const { payload: it } = event
  if (event.type === 'gateway.silent')
    return `The gateway ${it.enforcer_label ?? ''} of ${it.environment_name} is silent`
  return it.enforcer_label === null
    ? `No release could be made for ${it.environment_name}`
    : `The gateway ${it.enforcer_label} of ${it.environment_name} could not use its release`
}

/** Notifies the members who may see it. An environment that is gone is not reported. */
export async function notifyOfGateway(deps: Deps, tx: Transaction, event: GatewayEvent): Promise<void> {
  const { tenantId, payload, type } = event
  const [row] = await tx
    .select({ slug: environments.slug })
    .from(environments)
    .where(inTenant(environments, tenantId, eq(environments.id, payload.environment_id)))
  const [tenant] = await tx.select({ slug: tenants.slug }).from(tenants).where(eq(tenants.id, tenantId))
  if (row === undefined || tenant === undefined) return
  const tab = payload.enforcer_id === null ? 'releases' : 'gateways'
  const place = `${encodeURIComponent(tenant.slug)}/-/gateway/${encodeURIComponent(row.slug)}/${tab}`
  await sendNotifications(tx, event, { actor: null, projectId: null, versionId: null }, [
    {
      type: 'gateway',
      people: await viewersOf(tx, tenantId),
      payload: {
        title: titleOf(event),
        url: `${deps.publicUrl()}/app/t/${place}`,
        ...('reason' in payload ? { excerpt: payload.reason.slice(0, 200) } : {}),
        environment_id: payload.environment_id,
        event: type,
      },
    },
  ])
}
