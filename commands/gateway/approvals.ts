import { gatewayRecordsApi } from '../../src/api/gateway-records.ts'
import { command } from '../../cli/declare.ts'
import { approvalText, countText, environmentArgument, securityCall } from '../../cli/gateway/shared.ts'

export default command({
  summary: 'List requests for approval with what each change does, newest first',
  examples: ['svc gateway approvals production'],
  arguments: [environmentArgument],
  options: { limit: { type: 'integer', placeholder: 'N', default: 20, summary: 'at most so many, up to 200' } },
  dataSchema: gatewayRecordsApi.approvals.response,
  async run({ args, options, connection }) {
    const { call, query } = await securityCall(connection)
    const found = await call(gatewayRecordsApi.approvals, {
      params: { environment_id: args.environment },
      query: { ...query, limit: options.limit },
    })
    const text =
      found.approvals.length === 0 ? 'No requests for approval.\n' : found.approvals.map(approvalText).join('')
    return { data: found, text: text + countText(found.count, found.total, 'request') }
  },
})
