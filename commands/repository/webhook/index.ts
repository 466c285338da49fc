import { type HookSubscription, repositoryHooksApi } from '../../../src/api/repository-hooks.ts'
import { SvcError } from '../../../src/errors.ts'
import { command, group, type Invocation } from '../../../cli/declare.ts'
import { derive } from '../../../cli/derive.ts'
import { readFirstLine } from '../../../cli/input/named-file.ts'
import { repositoryArgument } from '../../../cli/repository/shared.ts'
import { renderFacts, renderTable, shortTime } from '../../../cli/table.ts'

const secretOption = {
  'secret-stdin': {
    type: 'boolean',
    summary: 'read from standard input the secret of a webhook that you created yourself',
  },
} as const

/**
 * The secret on the first line of standard input; null where it is not asked for.
 * @throws SvcError `usage` where there is none
 */
async function readHookSecret({ io }: Invocation<unknown, unknown>, fromInput: boolean): Promise<string | null> {
  if (!fromInput) return null
  const given = await readFirstLine({ io })
  if (given === '') throw new SvcError('usage', { reason: 'Missing secret: pipe it to --secret-stdin' })
  return given
}

/** A webhook as lines. */
const renderHook = (subscription: HookSubscription): string =>
  renderFacts([
    ['address', subscription.url],
    ['events', subscription.events.join(', ')],
    ['state', subscription.state],
    ['secret', subscription.fingerprint],
    [
      'previous',
      subscription.previousFingerprint === null
        ? null
        : `${subscription.previousFingerprint} until ${subscription.graceUntil ?? ''}`,
    ],
    ['provider id', subscription.providerHookId],
    ['last delivery', subscription.lastDeliveryAt],
  ])

export default group({
  summary: 'Receive pushes of a repository by a webhook',
  commands: {
    show: derive(repositoryHooksApi.status, {
      summary: 'Show the webhook of a repository with its latest requests, and why any were refused',
      examples: ['svc repository webhook show 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
      arguments: [repositoryArgument],
      text({ subscription, events }) {
        if (subscription === null) return 'No webhook.\n'
        const header = ['TIME', 'EVENT', 'OUTCOME', 'REF', 'DELIVERY']
        const rows = events.map((it) => [shortTime(it.at), it.event, it.outcome, it.ref ?? '-', it.delivery_id ?? '-'])
        return renderHook(subscription) + (rows.length === 0 ? '' : `\n${renderTable(header, rows)}`)
      },
    }),
    create: command({
      summary: 'Create the webhook of a repository, at its provider or for one that you create yourself',
      description:
        'Without --secret-stdin the linked account of the repository creates it at the provider. With it, create a webhook for pushes with the printed address, content type JSON and that secret.',
      examples: [
        'svc repository webhook create 01a1fdb6-5607-74ce-8102-e0af632fd4cf',
        'pass show hook | svc repository webhook create 01a1fdb6-5607-74ce-8102-e0af632fd4cf --secret-stdin',
      ],
      arguments: [repositoryArgument],
      options: secretOption,
      dataSchema: repositoryHooksApi.create.response,
      async run(invocation) {
        const { args, options, connection } = invocation
        const secret = await readHookSecret(invocation, options['secret-stdin'])
        const { call, tenant } = await connection()
        const made = await call(repositoryHooksApi.create, {
          params: { tenant_slug: await tenant(), repository_id: args.id },
          body: { create: secret === null ? 'provider' : 'manual', secret },
        })
        return { data: made, text: renderHook(made.subscription) }
      },
    }),
    delete: derive(repositoryHooksApi.remove, {
      summary: 'Stop receiving pushes of a repository; polling continues',
      examples: ['svc repository webhook delete 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
      arguments: [repositoryArgument],
      text: (_, { args }) => `Deleted the webhook of ${args.id}\n`,
    }),
    secret: derive(repositoryHooksApi.readSecret, {
      summary: 'Print the secret that a rotation made for a webhook you created yourself, once',
      examples: ['svc repository webhook secret 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
      arguments: [repositoryArgument],
      text: ({ secret }) => `${secret}\n`,
    }),
    rotate: command({
      summary: 'Rotate the secret of a webhook; the old one stays valid until the grace period ends',
      description:
        'Without --secret-stdin the service makes the secret. For a webhook that you created yourself, print it once with "svc repository webhook secret" and set it at the provider.',
      examples: ['svc repository webhook rotate 01a1fdb6-5607-74ce-8102-e0af632fd4cf --grace 1h'],
      arguments: [repositoryArgument],
      options: {
        ...secretOption,
        grace: { type: 'duration', summary: 'how long the previous secret verifies: 5m to 168h (default: 24h)' },
      },
      dataSchema: repositoryHooksApi.rotate.response,
      async run(invocation) {
        const { args, options, connection, io } = invocation
        const secret = await readHookSecret(invocation, options['secret-stdin'])
        const { call, tenant } = await connection()
        const rotated = await call(repositoryHooksApi.rotate, {
          params: { tenant_slug: await tenant(), repository_id: args.id },
          body: { secret, graceSeconds: options.grace === undefined ? null : Math.round(options.grace / 1000) },
        })
        if (rotated.providerError !== null)
          io.log.warn(`The provider does not have the new secret: ${rotated.providerError}`)
        return { data: rotated, text: renderHook(rotated.subscription) }
      },
    }),
  },
})
