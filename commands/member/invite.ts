import { InvitationRecord, membersApi } from '../../src/api/members.ts'
import { roles } from '../../src/api/permissions.ts'
import { command } from '../../cli/declare.ts'
import { renderFacts, shortTime } from '../../cli/table.ts'

export default command({
  summary: 'Invite a person by e-mail address; the link is shown only once, no e-mail is sent',
  description:
    'Send the link to the person yourself. The first person who opens it can create an account and take the membership.',
  examples: ['svc member invite bob@example.com', 'svc member invite eve@example.com --role viewer'],
  arguments: [{ name: 'email', required: true, summary: 'the address of the person' }],
  options: {
    role: {
      type: 'string',
      placeholder: 'ROLE',
      choices: roles,
      default: 'editor',
      summary: 'role of the member (default editor)',
    },
  },
  dataSchema: InvitationRecord,
  async run({ args, options, connection, globals }) {
    const { call, tenant } = await connection()
    const body = { email: args.email, role: options.role }
    const made = await call(membersApi.invite, { params: { tenant_slug: await tenant() }, body })
    const base = globals.baseUrl?.replace(/\/+$/, '') ?? ''
    return {
      data: made,
      text: renderFacts([
        ['invited', made.email],
        ['role', made.role],
        // The token is in the fragment, which browsers send to no one.
        ['link', `${base}/app/invitation#token=${made.token ?? ''}`],
        ['good until', shortTime(made.expires_at)],
      ]),
    }
  },
})
