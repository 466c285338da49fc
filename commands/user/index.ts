import { roles } from '../../src/api/permissions.ts'
import { SvcError } from '../../src/errors.ts'
import { loadConfig } from '../../cli/configuration.ts'
import { command, group } from '../../cli/declare.ts'
import { renderFacts, renderTable, shortTime } from '../../cli/table.ts'
import { readPassword, withIdentity } from '../../cli/user/shared.ts'

export default group({
  summary: 'Manage user accounts, on the machine that has the data',
  commands: {
    list: command({
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
                    rows.map((row) => [
                      row.email,
                      row.emailVerifiedAt === null ? 'no' : 'yes',
                      row.status,
                      shortTime(row.createdAt),
                      row.invitedTo ?? '-',
                      row.id,
                      row.name,
                    ]),
                  ),
          }
        }),
    }),
    password: command({
      summary: 'Set a new password; all sessions and tokens of the user end',
      examples: ['pass show svc-bob | svc user password bob@example.com --password-stdin'],
      arguments: [{ name: 'user', required: true, summary: 'email address or id of the account' }],
      options: { 'password-stdin': { type: 'boolean', summary: 'read the password from standard input' } },
      run: (invocation) =>
        withIdentity(invocation, async (identity) => {
          const password = await readPassword(invocation, invocation.options['password-stdin'])
          const { resetPassword } = await import('../../server/users/accounts.ts')
          const { id, email } = await resetPassword(identity, invocation.args.user, password)
          return { data: { id, email }, text: `${email} has a new password\n` }
        }),
    }),
    verify: command({
      summary: 'Declare that the email address of an account belongs to its user',
      description:
        'svc sends no e-mail, so an address is verified by an identity provider or with this command. A verified account can accept every invitation of its address without the link, and single sign-on leads to it. Ask the person for the id of their account first: others may have created accounts for the same address. The password of the account stays valid.',
      examples: ['svc user verify ann@example.com', 'svc user verify 0199c2f4-5b6e-7c3a-9d1f-2e8a4b6c8d0e'],
      arguments: [{ name: 'user', required: true, summary: 'email address or id of the account' }],
      options: {},
      dataSchema: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          email: { type: 'string' },
          email_verified_at: { type: 'string' },
        },
      },
      run: (invocation) =>
        withIdentity(invocation, async (identity) => {
          const { verifyEmail } = await import('../../server/users/accounts.ts')
          const { id, email, emailVerifiedAt } = await verifyEmail(identity, invocation.args.user)
          return {
            data: { id, email, email_verified_at: emailVerifiedAt },
            text: `${email} is verified for the account ${id}\n`,
          }
        }),
    }),
    disable: command({
      summary: 'Disable a user account; its sessions and tokens end immediately',
      examples: ['svc user disable bob@example.com'],
      arguments: [{ name: 'user', required: true, summary: 'email address or id of the account' }],
      options: {},
      run: (invocation) =>
        withIdentity(invocation, async (identity) => {
          const { setUserStatus } = await import('../../server/users/accounts.ts')
          const { id, email, status } = await setUserStatus(identity, invocation.args.user, 'disabled')
          return { data: { id, email, status }, text: `${email} is ${status}\n` }
        }),
    }),
    enable: command({
      summary: 'Enable a disabled user account',
      examples: ['svc user enable bob@example.com'],
      arguments: [{ name: 'user', required: true, summary: 'email address or id of the account' }],
      options: {},
      run: (invocation) =>
        withIdentity(invocation, async (identity) => {
          const { setUserStatus } = await import('../../server/users/accounts.ts')
          const { id, email, status } = await setUserStatus(identity, invocation.args.user, 'active')
          return { data: { id, email, status }, text: `${email} is ${status}\n` }
        }),
    }),
    create: command({
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
            data: {
              id,
              email,
              name,
              claimed: made.claimed,
              tenant: joined?.tenant ?? null,
              role: joined?.role ?? null,
            },
            text: renderFacts([
              ['created', email],
              ['name', name],
              ['role', place],
            ]),
          }
        })
      },
    }),
    'reset-second-factor': command({
      summary: 'Remove the second factors of a user who lost them',
      description:
        'Removes the authenticator app, the passkeys and the recovery codes of the account. Its password stays, and is all that signing in takes from then on: check first that the person who asks is the user. Their sessions continue.',
      examples: ['svc user reset-second-factor bob@example.com'],
      arguments: [{ name: 'user', required: true, summary: 'email address or id of the account' }],
      options: {},
      dataSchema: { type: 'object', properties: { id: { type: 'string' }, email: { type: 'string' } } },
      run: (invocation) =>
        withIdentity(invocation, async (identity) => {
          const { resetFactors } = await import('../../server/second-factors/factors.ts')
          const { id, email } = await resetFactors(identity, invocation.args.user)
          return { data: { id, email }, text: `${email} signs in with the password alone\n` }
        }),
    }),
    reset: command({
      summary: 'Create a link for a user to set a new password; it is shown only once, no e-mail is sent',
      description:
        'Send the link to the person in private: the first person who opens it can set the password of the account. It works once. An earlier link of the account stops working. The password stays valid until the link is used; then all sessions and tokens of the user end.',
      examples: [
        'svc user reset bob@example.com',
        'svc user reset bob@example.com --hours 1 --url https://svc.example.com',
      ],
      arguments: [{ name: 'user', required: true, summary: 'email address or id of the account' }],
      options: {
        hours: {
          type: 'integer',
          placeholder: 'N',
          default: 24,
          min: 1,
          max: 168,
          summary: 'how long the link can be used, 1 to 168 (default 24)',
        },
        url: {
          type: 'string',
          placeholder: 'URL',
          summary: 'address under which people open the service (default: SVC_PUBLIC_URL, or http://localhost:8080)',
        },
      },
      dataSchema: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          email: { type: 'string' },
          link: { type: 'string' },
          expires_at: { type: 'string' },
        },
      },
      run: (invocation) =>
        withIdentity(invocation, async (identity) => {
          const { args, options, globals, env, cwd } = invocation
          const { publicUrl, port } = loadConfig({ globals, env, cwd }).values
          const base = (options.url ?? publicUrl ?? `http://localhost:${port}`).replace(/\/+$/, '')
          if (!/^https?:$/.test(URL.parse(base)?.protocol ?? ''))
            throw new SvcError('usage', {
              reason: `--url must be an address that begins with http:// or https://: ${base}`,
            })
          const { createReset, resetLink } = await import('../../server/users/password-reset.ts')
          const { userId, email, token, expiresAt } = await createReset(identity, args.user, options.hours)
          const link = resetLink(base, token)
          return {
            data: { id: userId, email, link, expires_at: expiresAt },
            text: renderFacts([
              ['user', email],
              ['link', link],
              ['good until', shortTime(expiresAt)],
            ]),
          }
        }),
    }),
  },
})
