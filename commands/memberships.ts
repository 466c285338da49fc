import { MembershipRecord, tenantsApi } from '../src/api/tenants.ts'
import type { Invocation, Result } from './command.ts'
import { renderFacts, renderTable } from './table.ts'

/** JSON Schema of the data of `svc auth whoami` and its alias. */
export const whoamiSchema = {
  type: 'object',
  properties: {
    service: { type: 'string' },
    kind: { type: 'string', enum: ['user', 'api-key'] },
    memberships: { type: 'array', items: MembershipRecord },
  },
}

/** Columns of a list of tenants. */
export const tenantTable = (items: readonly MembershipRecord[]): string =>
  renderTable(
    ['TENANT', 'ROLE', 'STATUS', 'PLAN', 'NAME'],
    items.map((it) => [it.slug, it.role, it.status, it.plan?.slug ?? '-', it.name]),
  )

/**
 * What the credentials are good for, by GET /v1/tenants/me: a key has its one tenant with the role `member`, a person
 * every membership.
 */
export async function whoami({ connection }: Invocation<unknown, unknown>): Promise<Result> {
  const { call, describe } = await connection()
  const page = await call(tenantsApi.me, { query: { limit: 200 } })
  const kind = page.items.some((it) => it.role === 'member') ? 'api-key' : 'user'
  const facts = renderFacts([
    ['service', describe],
    ['as', kind === 'api-key' ? 'an API key' : 'a person'],
  ])
  const more = page.total > page.items.length ? `… ${page.total - page.items.length} more: svc auth tenants\n` : ''
  return {
    data: { service: describe, kind, memberships: page.items },
    summary: { total: page.total },
    text: () => (page.items.length === 0 ? `${facts}No tenants yet.\n` : `${facts}\n${tenantTable(page.items)}${more}`),
  }
}
