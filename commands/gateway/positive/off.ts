import { gatewayPositiveApi } from '../../../src/api/gateway-positive.ts'
import { command } from '../../../cli/declare.ts'
import {
  controlsOf,
  environmentArgument,
  reasonOption,
  securityCall,
  writeOptions,
  writtenText,
} from '../../../cli/gateway/shared.ts'

export default command({
  summary: 'Compare requests with no document any more; the binding is kept for "set --mode"',
  examples: ['svc gateway positive off production --reason "Until the document is complete"'],
  arguments: [environmentArgument],
  options: { reason: reasonOption, ...writeOptions },
  dataSchema: gatewayPositiveApi.setPositive.response,
  async run({ args, options, connection }) {
    const { reason } = options
    const { call, query } = await securityCall(connection)
    const params = { environment_id: args.environment }
    const body = { mode: 'off' as const, ...(reason === undefined ? {} : { reason }), ...controlsOf(options) }
    const written = await call(gatewayPositiveApi.setPositive, { params, query, body })
    return { data: written, text: writtenText(written) }
  },
})
