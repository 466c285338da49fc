import { SecurityEvent } from '../../../src/api/gateway-record-shapes.ts'
import { gatewayRecordsApi } from '../../../src/api/gateway-records.ts'
import { command } from '../../../cli/declare.ts'
import { environmentArgument, securityCall } from '../../../cli/gateway/shared.ts'
import { renderFacts, renderTable } from '../../../cli/table.ts'

export default command({
  summary: 'Show an event with its redacted evidence',
  examples: ['svc gateway events show production 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
  arguments: [environmentArgument, { name: 'event', required: true, summary: 'id of the event' }],
  options: {},
  dataSchema: SecurityEvent,
  async run({ args, connection }) {
    const { call, query } = await securityCall(connection)
    const params = { environment_id: args.environment, event_id: args.event }
    const it = await call(gatewayRecordsApi.event, { params, query })
    const facts = renderFacts([
      ['at', it.at],
      ['action', it.action],
      ['rule', it.ruleRef],
      ['request', [it.method, it.route].filter((one) => one !== null).join(' ') || null],
      ['status', it.status === null ? null : String(it.status)],
      ['requests', String(it.count)],
      ['client', it.client.network],
      ['source', it.source],
      ['score', it.score === null ? null : `${it.score.inbound} of ${it.score.threshold}`],
    ])
    const rows = it.matches.map((one) => [
      one.ruleRef,
      one.groupId ?? '',
      one.severity ?? '',
      one.field ?? '',
      one.length === null ? '' : String(one.length),
      one.digest ?? '',
    ])
    const table =
      rows.length === 0 ? '' : `\n${renderTable(['RULE', 'GROUP', 'SEVERITY', 'FIELD', 'LENGTH', 'DIGEST'], rows)}`
    return { data: it, text: facts + table }
  },
})
