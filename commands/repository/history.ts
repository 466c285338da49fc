import { repositoriesApi } from '../../src/api/repositories.ts'
import { command } from '../../cli/declare.ts'
import { repositoryArgument } from '../../cli/repository/shared.ts'
import { renderTable, shortTime } from '../../cli/table.ts'

export default command({
  summary: 'List what became of refreshes, newest first',
  examples: ['svc repository history 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
  arguments: [repositoryArgument],
  options: { path: { type: 'string', placeholder: 'PATH', summary: 'only this file' } },
  dataSchema: repositoriesApi.refreshHistory.response,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const found = await call(repositoriesApi.refreshHistory, {
      params: { tenant_slug: await tenant(), repository_id: args.id },
      query: { limit: 200, ...(options.path === undefined ? {} : { path: options.path }) },
    })
    const rows = found.items.map((it) => [
      shortTime(it.finished_at),
      it.path,
      it.trigger,
      it.outcome,
      it.to_commit.slice(0, 7),
      it.error ?? (it.change === null ? '' : (it.change.severity ?? 'no change')),
    ])
    const header = ['TIME', 'PATH', 'TRIGGER', 'OUTCOME', 'COMMIT', 'CHANGE']
    return { data: found, text: () => (rows.length === 0 ? 'No refreshes.\n' : renderTable(header, rows)) }
  },
})
