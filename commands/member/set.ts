import { MemberRecord, membersApi } from '../../src/api/members.ts'
import { roles } from '../../src/api/permissions.ts'
import { SvcError } from '../../src/errors.ts'
import { command } from '../../cli/declare.ts'
import { memberOf } from '../../cli/member/find.ts'
import { renderFacts } from '../../cli/table.ts'

export default command({
  summary: 'Change the role or status of a member; effective immediately',
  examples: ['svc member set bob@example.com --role admin', 'svc member set eve@example.com --status suspended'],
  arguments: [{ name: 'member', required: true, summary: 'e-mail address or id' }],
  options: {
    role: { type: 'string', placeholder: 'ROLE', choices: roles, summary: 'the new role' },
    status: {
      type: 'string',
      placeholder: 'STATUS',
      choices: ['active', 'suspended'],
      summary: 'active, or suspended: without access to the organization',
    },
  },
  dataSchema: MemberRecord,
  async run({ args, options, connection }) {
    const { role, status } = options
    if (role === undefined && status === undefined)
      throw new SvcError('usage', { reason: 'Give --role, --status, or both' })
    const { call, tenant } = await connection()
    const tenantSlug = await tenant()
    const { user_id } = await memberOf(call, tenantSlug, args.member)
    const member = await call(membersApi.update, {
      params: { tenant_slug: tenantSlug, user_id },
      body: { ...(role === undefined ? {} : { role }), ...(status === undefined ? {} : { status }) },
    })
    return {
      data: member,
      text: renderFacts([
        ['member', member.email],
        ['role', member.role],
        ['status', member.status],
      ]),
    }
  },
})
