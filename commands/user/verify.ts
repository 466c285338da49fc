import { command } from '../../cli/declare.ts'
import { withIdentity } from '../../cli/user/shared.ts'

export default command({
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
})
