import { repositoriesApi } from '../../src/api/repositories.ts'
import { command } from '../../cli/declare.ts'
import { pause } from '../../cli/pause.ts'
import { renderRepository, repositoryArgument } from '../../cli/repository/shared.ts'

const lookMs = 200

export default command({
  summary: 'Index the branches and files of a repository again, and wait until that is done',
  examples: ['svc repository scan 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
  arguments: [repositoryArgument],
  options: { wait: { type: 'boolean', default: true, summary: 'wait until the files are indexed' } },
  dataSchema: repositoriesApi.scan.response,
  async run({ args, options, connection, signal }) {
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant(), repository_id: args.id }
    const before = await call(repositoriesApi.scan, { params })
    let now = before
    const isDone = () =>
      now.repository.last_scanned_at !== before.repository.last_scanned_at || now.repository.health.badge === 'failing'
    while (options.wait && !isDone()) {
      await pause(lookMs, signal)
      now = await call(repositoriesApi.get, { params })
    }
    return { data: now, text: renderRepository(now.repository) }
  },
})
