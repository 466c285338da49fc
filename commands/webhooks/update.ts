import { webhooksApi } from '../../src/api/webhooks.ts'
import { SvcError } from '../../src/errors.ts'
import { command } from '../../cli/declare.ts'
import {
  minSeverityOption,
  readSigningSecret,
  renderSubscription,
  severityOf,
  subscriptionArgument,
} from '../../cli/webhooks/shared.ts'

export default command({
  summary: 'Change a webhook subscription, rotate its secret, switch it on or off',
  description: 'After a rotation both secrets sign for 24 hours.',
  examples: [
    'svc webhooks update 01a1fdb6-5607-74ce-8102-e0af632fd4cf --off',
    'pass show hook | svc webhooks update 01a1fdb6-5607-74ce-8102-e0af632fd4cf --rotate --secret-stdin',
  ],
  arguments: [subscriptionArgument],
  options: {
    url: { type: 'string', placeholder: 'URL', summary: 'new https URL' },
    'min-severity': minSeverityOption,
    on: { type: 'boolean', summary: 'switch it on' },
    off: { type: 'boolean', summary: 'switch it off; what it misses is kept and can be replayed' },
    rotate: { type: 'boolean', summary: 'set the secret of SVC_WEBHOOK_SECRET or standard input' },
    'secret-stdin': { type: 'boolean', summary: 'read the signing secret from standard input' },
  },
  dataSchema: webhooksApi.update.response,
  async run(invocation) {
    const { args, options, connection } = invocation
    if (options.on && options.off) throw new SvcError('usage', { reason: 'Choose --on or --off' })
    const minSeverity = severityOf(options['min-severity'])
    const body = {
      ...(options.url === undefined ? {} : { url: options.url }),
      ...(minSeverity === undefined ? {} : { minSeverity }),
      ...(options.on || options.off ? { active: options.on } : {}),
      ...(options.rotate ? { signingSecret: await readSigningSecret(invocation, options['secret-stdin']) } : {}),
    }
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant(), subscription_id: args.id }
    const subscription = await call(webhooksApi.update, { params, body })
    return { data: subscription, text: renderSubscription(subscription) }
  },
})
