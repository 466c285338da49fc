import { gatewayApi } from '../../../src/api/gateway.ts'
import { command } from '../../../cli/declare.ts'
import { environmentArgument, groupTable, securityCall } from '../../../cli/gateway/shared.ts'

export default command({
  summary: 'List the managed groups with their modes, and why each is in effect',
  examples: ['svc gateway group list production'],
  arguments: [environmentArgument],
  options: {},
  dataSchema: gatewayApi.managedGroups.response,
  async run({ args, connection }) {
    const { call, query } = await securityCall(connection)
    const found = await call(gatewayApi.managedGroups, { params: { environment_id: args.environment }, query })
    return { data: found, text: groupTable(found.groups) }
  },
})
