import { repositoriesApi } from '../../src/api/repositories.ts'
import { command } from '../../cli/declare.ts'
import { repositoryArgument } from '../../cli/repository/shared.ts'

export default command({
  summary: 'Remove a registration; what was imported stays',
  examples: ['svc repository delete 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
  arguments: [repositoryArgument],
  options: {},
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    await call(repositoriesApi.remove, { params: { tenant_slug: await tenant(), repository_id: args.id } })
    return { data: null, text: `Deleted ${args.id}\n` }
  },
})
