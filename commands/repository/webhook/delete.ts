import { repositoryHooksApi } from '../../../src/api/repository-hooks.ts'
import { command } from '../../../cli/declare.ts'
import { repositoryArgument } from '../../../cli/repository/shared.ts'

export default command({
  summary: 'Stop receiving pushes of a repository; polling continues',
  examples: ['svc repository webhook delete 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
  arguments: [repositoryArgument],
  options: {},
  dataSchema: repositoryHooksApi.remove.response,
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    const done = await call(repositoryHooksApi.remove, {
      params: { tenant_slug: await tenant(), repository_id: args.id },
    })
    return { data: done, text: `Deleted the webhook of ${args.id}\n` }
  },
})
