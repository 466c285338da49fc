import { webhooksApi } from '../../src/api/webhooks.ts'
import { plural } from '../../src/plural.ts'
import { command } from '../../cli/declare.ts'

export default command({
  summary: 'Send dead letters, and what a subscription missed while it was off, again',
  examples: ['svc webhooks replay --since 2026-11-20T00:00:00Z --dry-run'],
  arguments: [],
  options: {
    since: { type: 'string', placeholder: 'TIME', summary: 'events from this instant on (ISO 8601); required' },
    until: { type: 'string', placeholder: 'TIME', summary: 'events until this instant (default: now)' },
    subscription: { type: 'string', placeholder: 'ID', summary: 'only of this subscription' },
    'dry-run': { type: 'boolean', summary: 'only count' },
  },
  dataSchema: webhooksApi.replay.response,
  async run({ options, connection }) {
    const { call, tenant } = await connection()
    const { since = '', until, subscription } = options
    const body = {
      since,
      dry_run: options['dry-run'],
      ...(until === undefined ? {} : { until }),
      ...(subscription === undefined ? {} : { subscription_id: subscription }),
    }
    const result = await call(webhooksApi.replay, { params: { tenant_slug: await tenant() }, body })
    const done = `${result.dry_run ? 'Would send' : 'Sends'} ${plural(result.replayed, 'delivery', 'deliveries')} again`
    const rest = result.remaining === 0 ? '' : `; run it again for ${result.remaining} more`
    return { data: result, text: `${done}${rest}.\n` }
  },
})
