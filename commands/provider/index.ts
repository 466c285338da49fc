import { providersApi } from '../../src/api/providers.ts'
import { command, group } from '../../cli/declare.ts'
import {
  hostOption,
  providerArgument,
  providerOf,
  readSecret,
  renderProviders,
  withProviders,
} from '../../cli/provider/shared.ts'
import { renderFacts } from '../../cli/table.ts'

export default group({
  summary: 'Configure git providers for linked accounts, on the machine that has the data',
  commands: {
    list: command({
      summary: 'List the git providers with their OAuth clients and GitHub Apps',
      description: 'Prints also the redirect address to register at a provider, where SVC_PUBLIC_URL is set.',
      examples: ['svc provider list'],
      arguments: [],
      options: {},
      dataSchema: {
        type: 'object',
        properties: {
          callback_url: { type: ['string', 'null'] },
          providers: providersApi.list.response.properties.providers,
        },
      },
      async run(invocation) {
        return withProviders(invocation, async ({ db, hosts, publicUrl }) => {
          const { callbackPath, providerRecords } = await import('../../server/providers/service.ts')
          const providers = await providerRecords(db.read, hosts)
          const callback = publicUrl === null ? null : `${publicUrl}${callbackPath}`
          return {
            data: { callback_url: callback, providers },
            text: `${renderProviders(providers)}\n${renderFacts([['redirect address', callback ?? `SVC_PUBLIC_URL${callbackPath}`]])}`,
          }
        })
      },
    }),
    oauth: command({
      summary: 'Store the OAuth client that was registered at a git provider',
      description:
        'Members can then link accounts in a browser, without copying a token. Register the client at the provider with the redirect address that "svc provider list" prints. The secret is read from SVC_CLIENT_SECRET or standard input and stored encrypted; running the command again replaces it.',
      examples: [
        'pass show gitlab-client | svc provider oauth gitlab --client-id 0a1b2c --secret-stdin',
        'svc provider oauth gitlab --host git.example.com --client-id 0a1b2c --scopes "api"',
      ],
      arguments: [providerArgument],
      options: {
        ...hostOption,
        'client-id': { type: 'string', placeholder: 'ID', summary: 'id of the client at the provider', required: true },
        scopes: {
          type: 'string',
          placeholder: 'LIST',
          summary: 'scopes to ask for, separated by spaces, in place of what reading repositories needs',
        },
        'secret-stdin': { type: 'boolean', summary: 'read the client secret from standard input' },
      },
      dataSchema: providersApi.setClient.response,
      async run(invocation) {
        const { args, options } = invocation
        return withProviders(invocation, async (store) => {
          const fromInput = options['secret-stdin']
          const clientSecret = await readSecret(invocation, {
            variable: 'SVC_CLIENT_SECRET',
            option: '--secret-stdin',
            fromInput,
          })
          const [{ setClient }, { providerRecords }] = await Promise.all([
            import('../../server/providers/clients.ts'),
            import('../../server/providers/service.ts'),
          ])
          const provider = providerOf(args.provider)
          const host = store.hosts.read(provider, options.host ?? null)
          const scopes = options.scopes ?? null
          const row = await setClient(store, null, {
            provider,
            host,
            clientId: options['client-id'],
            clientSecret,
            scopes,
          })
          const data = (await providerRecords(store.db.read, store.hosts)).find(
            (one) => one.provider === provider && one.host === host,
          )
          return {
            data,
            text: renderFacts([
              ['provider', `${provider} (${host})`],
              ['client', row.clientId],
              ['secret', row.fingerprint],
              ['scopes', row.scopes],
            ]),
          }
        })
      },
    }),
    delete: command({
      summary: 'Remove the OAuth client of a git provider',
      description: 'Linked accounts keep working until their tokens expire; after that they cannot be renewed.',
      examples: ['svc provider delete gitlab --host git.example.com'],
      arguments: [providerArgument],
      options: hostOption,
      dataSchema: { type: 'object', properties: { provider: { type: 'string' }, host: { type: 'string' } } },
      async run(invocation) {
        const { args, options } = invocation
        return withProviders(invocation, async (store) => {
          const { removeClient } = await import('../../server/providers/clients.ts')
          const provider = providerOf(args.provider)
          const host = store.hosts.read(provider, options.host ?? null)
          await removeClient(store, null, provider, host)
          return { data: { provider, host }, text: `Removed the OAuth client of ${host}.\n` }
        })
      },
    }),
  },
})
