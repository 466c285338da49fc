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
        data: rows.map(({ id, email, name, status, passwordHash, createdAt }) => ({
          id,
          email,
          name,
          status,
          has_password: passwordHash !== null,
          created_at: createdAt,
        })),
        text: () =>
          rows.length === 0
            ? 'No users yet. Create the first one with the link that "svc serve" prints, or with "svc user create".\n'
            : renderTable(
                ['E-MAIL', 'STATUS', 'SINCE', 'NAME'],
                rows.map((it) => [it.email, it.status, shortTime(it.createdAt), it.name]),
              ),
      }
    }),
})
