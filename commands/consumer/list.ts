import { consumersApi } from '../../src/api/consumers.ts'
import { command } from '../../cli/declare.ts'
import { projectArgument } from '../../cli/consumer/shared.ts'
import { renderTable } from '../../cli/table.ts'

export default command({
  summary: 'List the consumers of a project, newest first',
  examples: ['svc consumer list petstore'],
  arguments: [projectArgument],
  options: {
    limit: { type: 'integer', placeholder: 'N', default: 200, min: 1, max: 1000, summary: 'maximum number' },
    offset: { type: 'integer', placeholder: 'N', default: 0, min: 0, summary: 'number of rows to skip' },
  },
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant(), project_ref: args.project }
    const { consumers, total } = await call(consumersApi.list, {
      params,
      query: { limit: options.limit, offset: options.offset },
    })
    const rows = consumers.map(({ handle, name, owner, contract }) => [
      handle,
      name,
      owner ?? '',
      contract === null ? 'never declared' : `revision ${contract.revision}, ${contract.version_label}`,
      contract === null ? '' : String(contract.unresolved_count),
    ])
    return {
      data: consumers,
      summary: { total },
      text: () =>
        rows.length === 0
          ? 'No consumers.\n'
          : renderTable(['HANDLE', 'NAME', 'OWNER', 'CONTRACT', 'UNRESOLVED'], rows),
    }
  },
})
