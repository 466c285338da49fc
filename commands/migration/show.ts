import { MigrationPlan, migrationPlansApi } from '../../src/api/migration-plans.ts'
import { command } from '../../cli/declare.ts'
import { pairArguments, pairOf } from '../../cli/migration/shared.ts'
import { renderTable } from '../../cli/table.ts'

export default command({
  summary: 'Show the migration rules of a schema between two versions',
  examples: ['svc migration show shop 1.0.0 2.0.0 Order'],
  arguments: [...pairArguments, { name: 'class', required: true, summary: 'name of a schema' }],
  options: {},
  dataSchema: MigrationPlan,
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    const plan = await call(migrationPlansApi.get, {
      params: { tenant_slug: await tenant() },
      query: { ...pairOf(args), className: args.class },
    })
    const rows = Object.entries(plan.rules).map(([key, rule]) => [key, JSON.stringify(rule)])
    return {
      data: plan,
      text: () =>
        rows.length === 0
          ? 'No rules. Propose some: svc migration propose PROJECT FROM TO CLASS\n'
          : renderTable(['RULE', 'WHAT BECOMES OF IT'], rows),
    }
  },
})
