import { gatewayRecordsApi } from '../../../src/api/gateway-records.ts'
import { eventActions } from '../../../src/gateway/policy/event.ts'
import { command } from '../../../cli/declare.ts'
import { countText, environmentArgument, eventTable, securityCall } from '../../../cli/gateway/shared.ts'

export default command({
  summary: 'List what gateways recorded, most recent first',
  examples: ['svc gateway events list production --rule crs:942100 --action block'],
  arguments: [environmentArgument],
  options: {
    rule: { type: 'string', placeholder: 'REF', summary: 'a rule that matched: crs:942100, rule:ID, positive:CHECK' },
    action: { type: 'string', placeholder: 'ACTION', choices: eventActions, summary: 'what became of the request' },
    route: { type: 'string', placeholder: 'TEMPLATE', summary: 'template of the operation' },
    release: { type: 'string', placeholder: 'ID', summary: 'the release that the gateway followed' },
    region: { type: 'string', placeholder: 'NAME', summary: 'the region of the gateway' },
    source: { type: 'string', placeholder: 'NAME', summary: 'the gateway' },
    limit: { type: 'integer', placeholder: 'N', default: 50, summary: 'at most so many, up to 200' },
  },
  dataSchema: gatewayRecordsApi.events.response,
  async run({ args, options, connection }) {
    const { call, query } = await securityCall(connection)
    const { rule, action, route, release, region, source, limit } = options
    const found = await call(gatewayRecordsApi.events, {
      params: { environment_id: args.environment },
      query: {
        ...query,
        limit,
        ...(rule === undefined ? {} : { ruleRef: rule }),
        ...(action === undefined ? {} : { action }),
        ...(route === undefined ? {} : { route }),
        ...(release === undefined ? {} : { releaseId: release }),
        ...(region === undefined ? {} : { region }),
        ...(source === undefined ? {} : { source }),
      },
    })
    return { data: found, text: eventTable(found.events) + countText(found.count, found.total, 'event') }
  },
})
