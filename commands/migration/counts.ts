import { migrationPlansApi } from '../../src/api/migration-plans.ts'
import { command } from '../../cli/declare.ts'
import { pairArguments, pairOf } from '../../cli/migration/shared.ts'
import { renderTable } from '../../cli/table.ts'

export default command({
  summary: 'Count the migration rules of each schema between two versions',
  examples: ['svc migration counts shop 1.0.0 2.0.0'],
  arguments: pairArguments,
  options: {},
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    const answer = await call(migrationPlansApi.counts, {
      params: { tenant_slug: await tenant() },
      query: pairOf(args),
    })
    const rows = Object.entries(answer.counts).map(([name, count]) => [name, String(count)])
    return { data: answer, text: () => (rows.length === 0 ? 'No rules.\n' : renderTable(['CLASS', 'RULES'], rows)) }
  },
})
