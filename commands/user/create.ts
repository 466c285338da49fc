import { roles } from '../../src/api/permissions.ts'
import { command } from '../../cli/declare.ts'
import { renderFacts } from '../../cli/table.ts'
import { readPassword, withIdentity } from '../../cli/user/shared.ts'

export default command({
  summary: 'Create a user account',
  description:
    'Works on the local workspace or on SVC_DATABASE_URL, without a running server. The first user owns the organization "local" and its content; later users join the organization of --tenant with the role of --role, or "local" where only --role is given. Without both, the account belongs to no organization yet.',
  examples: [
    'pass show svc | svc user create ann@example.com --password-stdin',
    'svc --tenant acme user create bob@example.com --role editor --password-stdin < password',
  ],
  arguments: [{ name: 'email', required: true, summary: 'the address they sign in with' }],
  options: {
    name: {
      type: 'string',
      placeholder: 'TEXT',
      summary: 'display name (default: the part of the address before the @)',
    },
    role: {
      type: 'string',
      placeholder: 'ROLE',
      choices: roles,
      summary: 'role in the organization of --tenant, or in "local" (default editor)',
    },
    'password-stdin': { type: 'boolean', summary: 'read the password from standard input' },
  },
  dataSchema: {
    type: 'object',
    properties: {
      id: { type: 'string' },
      email: { type: 'string' },
      name: { type: 'string' },
      claimed: { type: 'boolean', description: 'The first user, who owns the organization "local".' },
      tenant: { type: ['string', 'null'] },
      role: { type: ['string', 'null'] },
    },
  },
  async run(invocation) {
    const { args, options, globals } = invocation
    return withIdentity(invocation, async (identity) => {
      const password = await readPassword(invocation, options['password-stdin'])
      const { createUser } = await import('../../server/users/service.ts')
      const { tenant } = globals
      // Who names a role means an organization: without a name it is the one that every service has.
      const wanted =
        tenant === undefined && options.role === undefined
          ? null
          : { tenant: tenant ?? 'local', role: options.role ?? ('editor' as const) }
      const made = await createUser(identity, {
        email: args.email,
        name: options.name ?? '',
        password,
        membership: wanted,
      })
      const { id, email, name } = made.user
      const joined = made.claimed ? { tenant: 'local', role: 'owner' } : wanted
      const place = joined === null ? null : `${joined.role} of ${joined.tenant}`
      return {
        data: { id, email, name, claimed: made.claimed, tenant: joined?.tenant ?? null, role: joined?.role ?? null },
        text: renderFacts([
          ['created', email],
          ['name', name],
          ['role', place],
        ]),
      }
    })
  },
})
