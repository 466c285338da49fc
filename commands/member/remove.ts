import { membersApi } from '../../src/api/members.ts'
import { command } from '../../cli/declare.ts'
import { memberOf } from '../../cli/member/find.ts'

export default command({
  summary: 'Remove a member, or leave the organization; the last Owner cannot leave',
  examples: ['svc member remove bob@example.com'],
  arguments: [{ name: 'member', required: true, summary: 'e-mail address or id' }],
  options: {},
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    const tenantSlug = await tenant()
    const { user_id, email } = await memberOf(call, tenantSlug, args.member)
    await call(membersApi.remove, { params: { tenant_slug: tenantSlug, user_id } })
    return { data: null, text: `Removed ${email}\n` }
  },
})
