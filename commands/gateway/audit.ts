import { exportCap, gatewayRecordsApi } from '../../src/api/gateway-records.ts'
import { command } from '../../cli/declare.ts'
import { countText, environmentArgument, securityCall } from '../../cli/gateway/shared.ts'
import { renderTable, shortTime } from '../../cli/table.ts'

export default command({
  summary: 'List the audit trail of a policy, most recent first, or export it as CSV',
  description:
    'An export is a row of the trail itself. "svc doctor" verifies that no row was changed, added or removed.',
  examples: ['svc gateway audit production', 'svc gateway audit production --csv > audit.csv'],
  arguments: [environmentArgument],
  options: {
    csv: { type: 'boolean', summary: 'write CSV for spreadsheets' },
    limit: {
      type: 'integer',
      placeholder: 'N',
      summary: `at most so many rows (default: 50, with --csv ${exportCap})`,
    },
  },
  async run({ args, options, connection }) {
    const { call, query } = await securityCall(connection)
    const params = { environment_id: args.environment }
    if (options.csv) {
      const limited = { ...query, limit: options.limit ?? exportCap }
      const bytes = (await call(gatewayRecordsApi.exportAudit, { params, query: limited })) as unknown as Uint8Array
      return { text: bytes, data: { csv: new TextDecoder().decode(bytes) } }
    }
    const found = await call(gatewayRecordsApi.audit, { params, query: { ...query, limit: options.limit ?? 50 } })
    const table = renderTable(
      ['NUMBER', 'AT', 'WHO', 'WHAT', 'TARGET', 'VERSION', 'REASON'],
      found.rows.map((it) => [
        String(it.seq),
        shortTime(it.at),
        it.actorName,
        it.action,
        it.target ?? '',
        String(it.policyVersion),
        it.reason ?? '',
      ]),
    )
    return { data: found, text: table + countText(found.count, found.total, 'row') }
  },
})
