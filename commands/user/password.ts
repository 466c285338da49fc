import { command } from '../../cli/declare.ts'
import { readPassword, withIdentity } from '../../cli/user/shared.ts'

export default command({
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
})
