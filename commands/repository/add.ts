import { repositoriesApi } from '../../src/api/repositories.ts'
import { command } from '../../cli/declare.ts'
import { renderRepository } from '../../cli/repository/shared.ts'

export default command({
  summary: 'Register a repository by its https address, or by a linked account',
  description: 'The repository is read before it is registered; its branches and files are indexed right afterwards.',
  examples: [
    'svc repository add https://github.com/acme/specs',
    'svc repository add acme/specs --account 01a1fdb6-5607-74ce-8102-e0af632fd4cf',
  ],
  arguments: [{ name: 'repository', required: true, summary: 'https address; with --account OWNER/NAME' }],
  options: { account: { type: 'string', placeholder: 'ID', summary: 'the linked account that reads it' } },
  dataSchema: repositoriesApi.create.response,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const isUrl = /^https?:\/\//i.test(args.repository)
    const body =
      options.account === undefined
        ? { source: 'public_url' as const, cloneUrl: args.repository }
        : {
            source: 'linked_account' as const,
            linkedAccountId: options.account,
            repositoryFullName: isUrl ? new URL(args.repository).pathname.slice(1) : args.repository,
            cloneUrl: isUrl ? args.repository : null,
          }
    const made = await call(repositoriesApi.create, { params: { tenant_slug: await tenant() }, body })
    return { data: made, text: renderRepository(made.repository) }
  },
})
