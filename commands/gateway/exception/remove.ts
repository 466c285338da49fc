import { gatewayApi } from '../../../src/api/gateway.ts'
import { command } from '../../../cli/declare.ts'
import {
  controlsOf,
  environmentArgument,
  securityCall,
  writeOptions,
  writtenText,
} from '../../../cli/gateway/shared.ts'

export default command({
  summary: 'Remove an exception; it stays in the list',
  examples: ['svc gateway exception remove production 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
  arguments: [environmentArgument, { name: 'exception', required: true, summary: 'id of the exception' }],
  options: writeOptions,
  dataSchema: gatewayApi.removeException.response,
  async run({ args, options, connection }) {
    const { call, query } = await securityCall(connection)
    const place = { environment_id: args.environment }
    // The operation requires a version: without one given, the one that is in force now.
    const { policyVersion } = await call(gatewayApi.managedGroups, { params: place, query })
    const written = await call(gatewayApi.removeException, {
      params: { ...place, exception_id: args.exception },
      query: { ...query, expectedPolicyVersion: policyVersion, ...controlsOf(options) },
    })
    return { data: written, text: writtenText(written) }
  },
})
