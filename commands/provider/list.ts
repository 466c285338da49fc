import { providersApi } from '../../src/api/providers.ts'
import { command } from '../../cli/declare.ts'
import { renderProviders, withProviders } from '../../cli/provider/shared.ts'
import { renderFacts } from '../../cli/table.ts'

export default command({
  summary: 'List the git providers with what is registered at them',
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
})
