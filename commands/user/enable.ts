import { command } from '../../cli/declare.ts'
import { withIdentity } from '../../cli/user/shared.ts'

export default command({
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
})
