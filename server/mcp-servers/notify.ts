import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Transaction } from '../../db/database.ts'
import { mcpEndpoints, tenants } from '../../db/tables.gen.ts'
import { administratorsOf, personIn } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import { sendNotifications } from '../notifications/door.ts'
import type { OutboxEvent } from '../outbox/door.ts'

type Changed = Extract<OutboxEvent, { readonly type: 'mcp.surface_changed' }>

/** Notifies administrators, who imported the server, and who approved it. A server that is gone is not reported. */
export async function notifyOfChange(deps: Deps, tx: Transaction, event: Changed): Promise<void> {
  const { tenantId, payload } = event
  const [row] = await tx
    .select({ createdBy: mcpEndpoints.createdBy, approvedBy: mcpEndpoints.approvedBy })
    .from(mcpEndpoints)
    .where(inTenant(mcpEndpoints, tenantId, eq(mcpEndpoints.id, payload.endpoint_id)))
  const [tenant] = await tx.select({ slug: tenants.slug }).from(tenants).where(eq(tenants.id, tenantId))
  if (row === undefined || tenant === undefined) return
  const isDrift = payload.approved_fingerprint !== null && payload.approved_fingerprint !== payload.to_fingerprint
  const title = isDrift
    ? `The MCP server ${payload.name} is no longer what was approved`
    : `The MCP server ${payload.name} offers something else than before`
  const people = [
    ...(await administratorsOf(tx, tenantId)),
    ...[row.createdBy, row.approvedBy].flatMap((by) => personIn(by) ?? []),
  ]
  const place = `${encodeURIComponent(tenant.slug)}/-/mcp-servers/${payload.endpoint_id}`
  const general = {
    type: 'mcp_server',
    payload: {
      title,
      url: `${deps.publicUrl()}/app/t/${place}`,
      endpoint_id: payload.endpoint_id,
      event: 'mcp.surface_changed',
    },
  } as const
  const about = { actor: payload.by, projectId: null, versionId: null, general }
  await sendNotifications(tx, event, about, [{ ...general, people }])
}
