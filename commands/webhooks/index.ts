import { webhooksApi } from '../../src/api/webhooks.ts'
import { SvcError } from '../../src/errors.ts'
import { plural } from '../../src/kernel/plural.ts'
import { restoreHint } from '../../cli/bin/shared.ts'
import { command, group } from '../../cli/declare.ts'
import { derive } from '../../cli/derive.ts'
import { listOptions } from '../../cli/paging.ts'
import {
  choiceOptions,
  minSeverityOption,
  readSigningSecret,
  renderDelivery,
  renderSubscription,
  severityOf,
  stateOf,
  subscriptionArgument,
} from '../../cli/webhooks/shared.ts'

const limit = { ...listOptions.limit, summary: 'maximum number' }

const waitMs = 20_000

const waitSeconds = 20
/** Events whose transaction ended late are asked for again; their ids show which are known. */
const overlapMs = 10_000

export default group({
  summary: 'Manage webhook subscriptions, their deliveries, and receive events locally',
  commands: {
    list: derive(webhooksApi.list, {
      examples: ['svc webhooks list'],
      empty: 'No webhook subscriptions.\n',
      columns: {
        ID: (it) => it.id,
        NAME: (it) => it.name ?? '',
        URL: (it) => it.url,
        STATE: stateOf,
        SEVERITY: (it) => it.minSeverity ?? 'all',
      },
    }),
    show: derive(webhooksApi.get, {
      summary: 'Show a webhook subscription',
      examples: ['svc webhooks show 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
      arguments: [subscriptionArgument],
      text: renderSubscription,
    }),
    create: derive(webhooksApi.create, {
      description:
        'The signing secret is read from SVC_WEBHOOK_SECRET or standard input: "whsec_" and base64 of 24 to 64 bytes, or any other text of at least 24 bytes.',
      examples: [
        'pass show hook | svc webhooks create https://hooks.example.com/svc --min-severity breaking --secret-stdin',
      ],
      arguments: [{ name: 'url', summary: 'https URL of the receiver' }],
      options: {
        'min-severity': { ...minSeverityOption, read: severityOf },
        ...choiceOptions,
        inactive: { type: 'boolean', summary: 'create it switched off', field: 'active', read: () => false },
        'secret-stdin': { type: 'boolean', field: null, summary: 'read the signing secret from standard input' },
      },
      sends: { signingSecret: readSigningSecret },
      text: renderSubscription,
    }),
    delete: derive(webhooksApi.remove, {
      summary: 'Delete a webhook subscription with its deliveries',
      description:
        'You can restore the subscription with its signing secret for 30 days with "svc bin restore", but not its deliveries.',
      examples: ['svc webhooks delete 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
      arguments: [subscriptionArgument],
      text: (_, { args }) => `Deleted ${args.id}\n${restoreHint(args.id)}`,
    }),
    'event-types': derive(webhooksApi.eventTypes, {
      summary: 'List the types of events that webhooks receive',
      examples: ['svc webhooks event-types'],
      data: 'event_types',
      columns: { TYPE: (it) => it.type, MEANING: (it) => it.summary },
    }),
    deliveries: derive(webhooksApi.deliveries, {
      examples: ['svc webhooks deliveries 01a1fdb6-5607-74ce-8102-e0af632fd4cf --status dead_letter'],
      arguments: [subscriptionArgument],
      options: {
        status: { summary: 'only those of this status' },
        type: { summary: 'only events of this type' },
        since: { placeholder: 'TIME', summary: 'only events from this instant on (ISO 8601)' },
        limit,
        offset: listOptions.offset,
      },
      data: 'deliveries',
      counts: ['total'],
      empty: 'No deliveries.\n',
      columns: {
        ID: (it) => it.id,
        EVENT: (it) => it.eventType,
        STATUS: (it) => it.status,
        ATTEMPTS: (it) => String(it.attemptCount),
        ERROR: (it) => it.lastError ?? '',
      },
    }),
    delivery: command({
      summary: 'Show a delivery with its attempts, or send it again',
      examples: ['svc webhooks delivery 01a1fdb6-5607-74ce-8102-e0af632fd4cf --redeliver'],
      arguments: [{ name: 'id', required: true, summary: 'id of the delivery: the header webhook-id' }],
      options: {
        redeliver: { type: 'boolean', summary: 'send it now with the same id: again, or before others that wait' },
      },
      dataSchema: webhooksApi.delivery.response,
      async run({ args, options, connection }) {
        const { call, tenant } = await connection()
        const operation = options.redeliver ? webhooksApi.redeliver : webhooksApi.delivery
        const delivery = await call(operation, { params: { tenant_slug: await tenant(), event_id: args.id } })
        return { data: delivery, text: renderDelivery(delivery) }
      },
    }),
    'dead-letters': derive(webhooksApi.deadLetters, {
      summary: 'List the deliveries that failed for good',
      examples: ['svc webhooks dead-letters'],
      options: {
        subscription: { placeholder: 'ID', summary: 'only those of this subscription' },
        limit,
        offset: listOptions.offset,
      },
      empty: 'No dead letters.\n',
      columns: {
        ID: (it) => it.id,
        EVENT: (it) => it.eventType,
        ATTEMPTS: (it) => String(it.attemptCount),
        ERROR: (it) => it.lastError ?? '',
      },
    }),
    replay: derive(webhooksApi.replay, {
      summary: 'Send dead letters again, and events that a subscription missed while it was off',
      examples: ['svc webhooks replay --since 2026-11-20T00:00:00Z --dry-run'],
      options: {
        since: { placeholder: 'TIME', summary: 'events from this instant on (ISO 8601); required' },
        until: { placeholder: 'TIME', summary: 'events until this instant (default: now)' },
        subscription: { placeholder: 'ID', summary: 'only of this subscription' },
        'dry-run': { summary: 'only count' },
      },
      // The service says what is wrong with an instant that is not given, as with any other that it cannot read.
      sends: { since: '' },
      text(result) {
        const done = result.dry_run ? 'Would send' : 'Sends'
        const rest = result.remaining === 0 ? '' : `; run it again for ${result.remaining} more`
        return `${done} ${plural(result.replayed, 'delivery', 'deliveries')} again${rest}.\n`
      },
    }),
    test: command({
      summary: 'Send a test event to a subscription and wait for its first attempt',
      description:
        'A server must be running on the workspace: it makes the attempt. Exits with 1 if the receiver did not accept it.',
      examples: ['svc webhooks test 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
      arguments: [subscriptionArgument],
      options: {},
      dataSchema: webhooksApi.test.response,
      async run({ args, connection, signal }) {
        const { call, tenant } = await connection()
        const tenant_slug = await tenant()
        let delivery = await call(webhooksApi.test, { params: { tenant_slug, subscription_id: args.id } })
        const deadline = performance.now() + waitMs
        while (delivery.attempts.length === 0 && !signal.aborted && performance.now() < deadline) {
          await Bun.sleep(200)
          delivery = await call(webhooksApi.delivery, { params: { tenant_slug, event_id: delivery.id } })
        }
        return { data: delivery, text: renderDelivery(delivery), exitCode: delivery.status === 'delivered' ? 0 : 1 }
      },
    }),
    update: command({
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
        name: choiceOptions.name,
        type: choiceOptions.type,
        'all-types': { type: 'boolean', summary: 'events of all types again' },
        project: choiceOptions.project,
        'all-projects': { type: 'boolean', summary: 'events of all projects and of none again' },
        'keep-answers': choiceOptions['keep-answers'],
        'drop-answers': { type: 'boolean', summary: 'keep no answers from now on' },
        on: { type: 'boolean', summary: 'switch it on' },
        off: { type: 'boolean', summary: 'switch it off; what it misses is kept and can be replayed' },
        rotate: { type: 'boolean', summary: 'set the secret of SVC_WEBHOOK_SECRET or standard input' },
        'secret-stdin': { type: 'boolean', summary: 'read the signing secret from standard input' },
      },
      dataSchema: webhooksApi.update.response,
      async run(invocation) {
        const { args, options, connection } = invocation
        if (options.on && options.off) throw new SvcError('usage', { reason: 'Choose --on or --off' })
        const minSeverity = options['min-severity']
        const body = {
          ...(options.name === undefined ? {} : { name: options.name === '' ? null : options.name }),
          ...(options.type.length > 0 ? { eventTypes: [...options.type] } : {}),
          ...(options['all-types'] ? { eventTypes: null } : {}),
          ...(options.project.length > 0 ? { projects: [...options.project] } : {}),
          ...(options['all-projects'] ? { projects: null } : {}),
          ...(options['keep-answers'] || options['drop-answers'] ? { keepAnswers: options['keep-answers'] } : {}),
          ...(options.url === undefined ? {} : { url: options.url }),
          ...(minSeverity === undefined ? {} : { minSeverity: severityOf(minSeverity) }),
          ...(options.on || options.off ? { active: options.on } : {}),
          ...(options.rotate ? { signingSecret: await readSigningSecret(invocation) } : {}),
        }
        const { call, tenant } = await connection()
        const params = { tenant_slug: await tenant(), subscription_id: args.id }
        const subscription = await call(webhooksApi.update, { params, body })
        return { data: subscription, text: renderSubscription(subscription) }
      },
    }),
    listen: command({
      summary: 'Forward events to a local address, signed, without a webhook',
      description:
        'For development: waits for the events of the organization and posts each to --forward, signed as Standard Webhooks say with the secret of SVC_WEBHOOK_SECRET, or with a new one that is printed. Ctrl-C ends it.',
      examples: ['svc webhooks listen --forward http://localhost:3000/hook'],
      arguments: [],
      options: {
        forward: { type: 'string', placeholder: 'URL', summary: 'address that events are posted to; required' },
        count: { type: 'integer', placeholder: 'N', min: 1, summary: 'exit after this number of events' },
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
    }),
  },
})
