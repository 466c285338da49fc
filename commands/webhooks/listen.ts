import { webhooksApi } from '../../src/api/webhooks.ts'
import { SvcError } from '../../src/errors.ts'
import { command } from '../../cli/declare.ts'

const waitSeconds = 20
/** Events whose transaction ended late are asked for again; their ids show which are known. */
const overlapMs = 10_000

export default command({
  summary: 'Forward events to a local address, signed, without a webhook',
  description:
    'For development: waits for the events of the organization and posts each to --forward, signed as Standard Webhooks say with the secret of SVC_WEBHOOK_SECRET, or with a new one that is printed. Ctrl-C ends it.',
  examples: ['svc webhooks listen --forward http://localhost:3000/hook'],
  arguments: [],
  options: {
    forward: { type: 'string', placeholder: 'URL', summary: 'address that events are posted to; required' },
    count: { type: 'integer', placeholder: 'N', min: 1, summary: 'end after this number of events' },
  },
  async run({ options, env, io, signal, connection, globals }) {
    const target = URL.parse(options.forward ?? '')
    if (target === null || !/^https?:$/.test(target.protocol))
      throw new SvcError('usage', { reason: 'Missing --forward: an address such as http://localhost:3000/hook' })
    const [{ readSecret }, { signedHeaders }] = await Promise.all([
      import('../../server/webhooks/secret.ts'),
      import('../../server/webhooks/send.ts'),
    ])
    const made = `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`
    const secret = env.SVC_WEBHOOK_SECRET || made
    const secrets = [readSecret(secret)]
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant() }
    const first = await call(webhooksApi.events, { params, query: { since: new Date(0).toISOString(), limit: 1 } })
    let since = first.now
    const shown = secret === made ? ` Signing secret: ${made}` : ''
    io.log.info(`Waiting for events.${shown}`)
    const known = new Set<string>()
    const forwarded: { id: string; type: string; status: number | null }[] = []
    const most = options.count ?? Number.POSITIVE_INFINITY
    while (!signal.aborted && forwarded.length < most) {
      // A request must end before the time-out of the command line does.
      const wait = Math.max(0, Math.min(waitSeconds, Math.floor(globals.timeoutMs / 2000)))
      const answer = await call(webhooksApi.events, { params, query: { since, wait } })
      const fresh = answer.events.filter(({ id }) => !known.has(id))
      for (const { id, payload } of fresh.slice(0, most - forwarded.length)) {
        known.add(id)
        const body = JSON.stringify(payload)
        const headers = { 'content-type': 'application/json', ...signedHeaders({ id, body, secrets }, Date.now()) }
        const status = await fetch(target, { method: 'POST', headers, body, redirect: 'manual', signal }).then(
          (response) => response.status,
          () => null,
        )
        const type = String(payload['type'])
        forwarded.push({ id, type, status })
        io.log.info(`${type} ${id} ${status ?? 'no answer'}`)
      }
      since = new Date(Math.max(Date.parse(since), Date.parse(answer.now) - overlapMs)).toISOString()
      if (fresh.length === 0 && answer.events.length > 0 && !signal.aborted) await Bun.sleep(500)
    }
    return { data: forwarded, text: '' }
  },
})
