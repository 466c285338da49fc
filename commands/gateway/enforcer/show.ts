import { Enforcer, enforcersApi } from '../../../src/api/gateway-enforcers.ts'
import { SvcError } from '../../../src/errors.ts'
import { command } from '../../../cli/declare.ts'
import { enforcerArgument, enforcerText } from '../../../cli/gateway/enforcer.ts'
import { environmentArgument, securityCall } from '../../../cli/gateway/shared.ts'

export default command({
  summary: 'Show a gateway: its state, its release and its last error',
  examples: ['svc gateway enforcer show production edge-1'],
  arguments: [environmentArgument, enforcerArgument],
  options: {},
  dataSchema: Enforcer,
  async run({ args, connection }) {
    const { call, query } = await securityCall(connection)
    const { enforcers } = await call(enforcersApi.list, { params: { environment_id: args.environment }, query })
    const found = enforcers.find(({ id, label }) => id === args.gateway || label === args.gateway)
    if (found === undefined) throw new SvcError('enforcer-not-found', { enforcer: args.gateway })
    return { data: found, text: enforcerText(found) }
  },
})
