import { command } from '../../cli/declare.ts'
import { renderFacts, shortTime } from '../../cli/table.ts'
import { loadConfig } from '../../cli/configuration.ts'
import { withIdentity } from '../../cli/user/shared.ts'
import { SvcError } from '../../src/errors.ts'

export default command({
  summary: 'Create a link with which a person sets a new password; it is shown only once, no e-mail is sent',
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
      const { createReset } = await import('../../server/users/password-reset.ts')
      const { userId, email, token, expiresAt } = await createReset(identity, args.user, options.hours)
      // The token is in the fragment, which browsers send to no one.
      const link = `${base}/app/reset-password#token=${token}`
      return {
        data: { id: userId, email, link, expires_at: expiresAt },
        text: renderFacts([
          ['user', email],
          ['link', link],
          ['good until', shortTime(expiresAt)],
        ]),
      }
    }),
})
