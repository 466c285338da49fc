import { environmentsApi } from '../../../src/api/environments.ts'
import { command } from '../../../cli/declare.ts'
import { environmentArgument, securityCall } from '../../../cli/gateway/shared.ts'

export default command({
  summary: 'Delete an environment with its policy and events; the audit trail is kept',
  examples: ['svc gateway environment delete trial'],
  arguments: [environmentArgument],
  options: {},
  async run({ args, connection }) {
    const { call, query } = await securityCall(connection)
    await call(environmentsApi.remove, { params: { environment_id: args.environment }, query })
    return { data: null, text: `Deleted ${args.environment}.\n` }
  },
})
