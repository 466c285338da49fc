import { membersApi } from '../../src/api/members.ts'
import { command } from '../../cli/declare.ts'
import { memberOf } from '../../cli/member/find.ts'
import { renderFacts, shortTime } from '../../cli/table.ts'

export default command({
  summary: 'Create a link with which a member sets a new password; it is shown only once, no e-mail is sent',
  description:
    'Send the link to the member in private: the first person who opens it can set the password. For accounts that an invitation of this organization created and that are in no other one; for all others the operator runs "svc user reset".',
  examples: ['svc member reset-password bob@example.com'],
  arguments: [{ name: 'member', required: true, summary: 'e-mail address or id' }],
  options: {},
  dataSchema: {
    type: 'object',
    properties: {
      user_id: { type: 'string' },
      email: { type: 'string' },
      link: { type: 'string' },
      expires_at: { type: 'string' },
    },
  },
  async run({ args, connection, globals }) {
    const { call, tenant } = await connection()
    const tenantSlug = await tenant()
    const { user_id } = await memberOf(call, tenantSlug, args.member)
    const { token, ...made } = await call(membersApi.resetPassword, { params: { tenant_slug: tenantSlug, user_id } })
    const link = `${globals.baseUrl?.replace(/\/+$/, '') ?? ''}/app/reset-password#token=${token}`
    return {
      data: { ...made, link },
      text: renderFacts([
        ['member', made.email],
        ['link', link],
        ['good until', shortTime(made.expires_at)],
      ]),
    }
  },
})
