import { gatewayApi } from '../../../src/api/gateway.ts'
import { command } from '../../../cli/declare.ts'
import { environmentArgument, exceptionTable, securityCall } from '../../../cli/gateway/shared.ts'

export default command({
  summary: 'List exceptions with what they let through, newest first',
  examples: ['svc gateway exception list production --all'],
  arguments: [environmentArgument],
  options: { all: { type: 'boolean', summary: 'also those that expired or were removed' } },
  dataSchema: gatewayApi.exceptions.response,
  async run({ args, options, connection }) {
    const { call, query } = await securityCall(connection)
    const found = await call(gatewayApi.exceptions, {
      params: { environment_id: args.environment },
      query: { ...query, include_expired: options.all },
    })
    return { data: found, text: exceptionTable(found.exceptions) }
  },
})
