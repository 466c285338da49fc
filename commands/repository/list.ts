import { repositoriesApi } from '../../src/api/repositories.ts'
import { command } from '../../cli/declare.ts'
import { renderRepositories } from '../../cli/repository/shared.ts'

export default command({
  summary: 'List the registered repositories, newest first',
  examples: ['svc repository list'],
  arguments: [],
  options: {},
  dataSchema: repositoriesApi.list.response,
  async run({ connection }) {
    const { call, tenant } = await connection()
    const found = await call(repositoriesApi.list, { params: { tenant_slug: await tenant() } })
    return { data: found, text: () => renderRepositories(found.repositories) }
  },
})
