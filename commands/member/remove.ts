import { membersApi } from '../../src/api/members.ts'
import { command } from '../../cli/declare.ts'
import { memberOrInvitation } from '../../cli/member/find.ts'

export default command({
  summary: 'Remove a member, withdraw an open invitation, or leave the organization',
  description: 'The last Owner cannot leave. The link of a withdrawn invitation stops working.',
  examples: ['svc member remove bob@example.com'],
  arguments: [{ name: 'member', required: true, summary: 'e-mail address or id' }],
  options: {},
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    const tenantSlug = await tenant()
    const found = await memberOrInvitation(call, tenantSlug, args.member)
    if ('invitation' in found) {
      const { id, email } = found.invitation
      await call(membersApi.withdraw, { params: { tenant_slug: tenantSlug, invitation_id: id } })
      return { data: null, text: `Withdrew the invitation of ${email}\n` }
    }
    const { user_id, email } = found.member
    await call(membersApi.remove, { params: { tenant_slug: tenantSlug, user_id } })
    return { data: null, text: `Removed ${email}\n` }
  },
})
