import { environmentsApi } from '../../../src/api/environments.ts'
import { command } from '../../../cli/declare.ts'
import { securityCall } from '../../../cli/gateway/shared.ts'
import { renderTable } from '../../../cli/table.ts'

export default command({
  summary: 'List environments by name',
  examples: ['svc gateway environment list'],
  arguments: [],
  options: {},
  dataSchema: environmentsApi.list.response,
  async run({ connection }) {
    const { call, query } = await securityCall(connection)
    const found = await call(environmentsApi.list, { query: { ...query, limit: 200 } })
    const rows = found.environments.map((it) => [
      it.slug,
      it.kind,
      it.tier,
      String(it.policy_version),
      it.approvals.required ? 'required' : 'not required',
      it.name,
    ])
    const text =
      rows.length === 0
        ? 'No environments.\n'
        : renderTable(['SLUG', 'KIND', 'TIER', 'VERSION', 'APPROVALS', 'NAME'], rows)
    return { data: found, text }
  },
})
