import { webhooksApi } from '../../src/api/webhooks.ts'
import { command } from '../../cli/declare.ts'
import { minSeverityOption, readSigningSecret, renderSubscription, severityOf } from '../../cli/webhooks/shared.ts'

export default command({
  summary: 'Subscribe an https URL to events',
  description:
    'The signing secret is read from SVC_WEBHOOK_SECRET or standard input: "whsec_" and base64 of 24 to 64 bytes, or any other text of at least 24 bytes.',
  examples: [
    'pass show hook | svc webhooks create https://hooks.example.com/svc --min-severity breaking --secret-stdin',
  ],
  arguments: [{ name: 'url', required: true, summary: 'https URL of the receiver' }],
  options: {
    'min-severity': minSeverityOption,
    inactive: { type: 'boolean', summary: 'create it switched off' },
    'secret-stdin': { type: 'boolean', summary: 'read the signing secret from standard input' },
  },
  dataSchema: webhooksApi.create.response,
  async run(invocation) {
    const { args, options, connection } = invocation
    const signingSecret = await readSigningSecret(invocation, options['secret-stdin'])
    const { call, tenant } = await connection()
    const minSeverity = severityOf(options['min-severity']) ?? null
    const body = { url: args.url, signingSecret, minSeverity, active: !options.inactive }
    const subscription = await call(webhooksApi.create, { params: { tenant_slug: await tenant() }, body })
    return { data: subscription, text: renderSubscription(subscription) }
  },
})
