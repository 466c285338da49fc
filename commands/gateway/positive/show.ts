import { gatewayPositiveApi } from '../../../src/api/gateway-positive.ts'
import { command } from '../../../cli/declare.ts'
import { positiveText } from '../../../cli/gateway/positive.ts'
import { environmentArgument, securityCall } from '../../../cli/gateway/shared.ts'

export default command({
  summary: 'Show which document requests are compared with, and what each check does',
  examples: ['svc gateway positive show production'],
  arguments: [environmentArgument],
  options: {},
  dataSchema: gatewayPositiveApi.positive.response,
  async run({ args, connection }) {
    const { call, query } = await securityCall(connection)
    const found = await call(gatewayPositiveApi.positive, { params: { environment_id: args.environment }, query })
    return { data: found, text: positiveText(found) }
  },
})
