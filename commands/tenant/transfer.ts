import { MemberRecord } from '../../src/api/members.ts'
import { tenantsApi } from '../../src/api/tenants.ts'
import { command } from '../../cli/declare.ts'
import { memberOf } from '../../cli/member/find.ts'
import { renderFacts } from '../../cli/table.ts'

export default command({
  summary: 'Transfer ownership to another member; you become Admin',
  examples: ['svc --tenant acme tenant transfer bob@example.com'],
  arguments: [{ name: 'member', required: true, summary: 'e-mail address or id' }],
  options: {},
  dataSchema: { type: 'object', properties: { owner: MemberRecord, previous: MemberRecord } },
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    const tenantSlug = await tenant()
    const { user_id } = await memberOf(call, tenantSlug, args.member)
    const done = await call(tenantsApi.transfer, { params: { tenant_slug: tenantSlug }, body: { user_id } })
    return {
      data: done,
      text: renderFacts([
        ['owner', done.owner.email],
        ['you are now', done.previous.role],
      ]),
    }
  },
})
