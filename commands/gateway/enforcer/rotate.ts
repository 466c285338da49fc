import { enforcersApi } from '../../../src/api/gateway-enforcers.ts'
import { command } from '../../../cli/declare.ts'
import { enforcerArgument, keyText } from '../../../cli/gateway/enforcer.ts'
import { environmentArgument, securityCall } from '../../../cli/gateway/shared.ts'

export default command({
  summary: 'Replace the key of a gateway; the old one ends immediately',
  examples: ['svc gateway enforcer rotate production edge-1'],
  arguments: [environmentArgument, enforcerArgument],
  options: {},
  dataSchema: enforcersApi.rotate.response,
  async run({ args, connection }) {
    const { call, query } = await securityCall(connection)
    const params = { environment_id: args.environment, enforcer_id: args.gateway }
    const made = await call(enforcersApi.rotate, { params, query })
    return { data: made, text: keyText(made) }
  },
})
