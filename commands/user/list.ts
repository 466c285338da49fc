import { command } from '../../cli/declare.ts'
import { renderTable, shortTime } from '../../cli/table.ts'
import { withIdentity } from '../../cli/user/shared.ts'

export default command({
  summary: 'List the user accounts',
  examples: ['svc user list', 'svc user list --json'],
  arguments: [],
  options: {},
  dataSchema: {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        id: { type: 'string' },
        email: { type: 'string' },
        name: { type: 'string' },
        status: { type: 'string', enum: ['active', 'disabled'] },
        email_verified_at: {
          type: ['string', 'null'],
          description: 'When an identity provider or the operator verified the address.',
        },
        invited_to: {
          type: ['string', 'null'],
          description: 'The organization whose invitation created the account.',
        },
        has_password: { type: 'boolean', description: 'False for people who sign in at an issuer only.' },
        created_at: { type: 'string' },
      },
    },
  },
  run: (invocation) =>
    withIdentity(invocation, async (identity) => {
      const { listUsers } = await import('../../server/users/accounts.ts')
      const rows = await listUsers(identity)
      return {
        data: rows.map(({ id, email, name, status, passwordHash, emailVerifiedAt, invitedTo, createdAt }) => ({
          id,
          email,
          name,
          status,
          email_verified_at: emailVerifiedAt,
          invited_to: invitedTo,
          has_password: passwordHash !== null,
          created_at: createdAt,
        })),
        text: () =>
          rows.length === 0
            ? 'No users yet. Create the first one with the link that "svc serve" prints, or with "svc user create".\n'
            : renderTable(
                ['E-MAIL', 'VERIFIED', 'STATUS', 'SINCE', 'INVITED TO', 'ID', 'NAME'],
                rows.map((it) => [
                  it.email,
                  it.emailVerifiedAt === null ? 'no' : 'yes',
                  it.status,
                  shortTime(it.createdAt),
                  it.invitedTo ?? '-',
                  it.id,
                  it.name,
                ]),
              ),
      }
    }),
})
