import { consumersApi } from '../../src/api/consumers.ts'
import { command } from '../../cli/declare.ts'
import { consumerArgument, projectArgument } from '../../cli/consumer/shared.ts'
import { renderTable, shortTime } from '../../cli/table.ts'

export default command({
  summary: 'List the revisions of a consumer’s contract, newest first',
  examples: ['svc consumer revisions petstore shop-front'],
  arguments: [projectArgument, consumerArgument],
  options: {
    limit: { type: 'integer', placeholder: 'N', default: 50, min: 1, max: 200, summary: 'maximum number' },
  },
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const { revisions, total } = await call(consumersApi.revisions, {
      params: { tenant_slug: await tenant(), project_ref: args.project, consumer_ref: args.consumer },
      query: { limit: options.limit },
    })
    const rows = revisions.map((it) => [
      String(it.revision),
      it.source,
      it.version_label,
      String(it.operations_count),
      String(it.fields_count),
      String(it.unresolved_count),
      shortTime(it.created_at),
    ])
    return {
      data: revisions,
      summary: { total },
      text: () =>
        rows.length === 0
          ? 'Never declared what it uses.\n'
          : renderTable(['REVISION', 'SOURCE', 'AGAINST', 'OPERATIONS', 'FIELDS', 'UNRESOLVED', 'WRITTEN'], rows),
    }
  },
})
