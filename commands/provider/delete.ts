import { command } from '../../cli/declare.ts'
import { hostOption, providerArgument, providerOf, withProviders } from '../../cli/provider/shared.ts'

export default command({
  summary: 'Remove the OAuth client of a git provider',
  description: 'Accounts that were linked with it serve until their tokens expire; they cannot be renewed any more.',
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
})
