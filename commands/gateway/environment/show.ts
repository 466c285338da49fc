import { Environment, environmentsApi } from '../../../src/api/environments.ts'
import { command } from '../../../cli/declare.ts'
import { environmentArgument, environmentText, securityCall } from '../../../cli/gateway/shared.ts'

export default command({
  summary: 'Show an environment',
  examples: ['svc gateway environment show production'],
  arguments: [environmentArgument],
  options: {},
  dataSchema: Environment,
  async run({ args, connection }) {
    const { call, query } = await securityCall(connection)
    const found = await call(environmentsApi.get, { params: { environment_id: args.environment }, query })
    return { data: found, text: environmentText(found) }
  },
})
