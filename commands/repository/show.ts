import { repositoriesApi } from '../../src/api/repositories.ts'
import { command } from '../../cli/declare.ts'
import { renderRepository, repositoryArgument } from '../../cli/repository/shared.ts'

export default command({
  summary: 'Show a registered repository and its health',
  examples: ['svc repository show 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
  arguments: [repositoryArgument],
  options: {},
  dataSchema: repositoriesApi.get.response,
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    const found = await call(repositoriesApi.get, { params: { tenant_slug: await tenant(), repository_id: args.id } })
    return { data: found, text: renderRepository(found.repository) }
  },
})
