import { gatewayApi } from '../../../src/api/gateway.ts'
import { command } from '../../../cli/declare.ts'
import { ruleArgument, warningText } from '../../../cli/gateway/rule.ts'
import {
  controlsOf,
  environmentArgument,
  securityCall,
  writeOptions,
  writtenText,
} from '../../../cli/gateway/shared.ts'

export default command({
  summary: 'Restore a removed rule as it was',
  examples: ['svc gateway rule restore production 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
  arguments: [environmentArgument, ruleArgument],
  options: writeOptions,
  dataSchema: gatewayApi.restoreRule.response,
  async run({ args, options, connection }) {
    const { call, query } = await securityCall(connection)
    const params = { environment_id: args.environment, rule_id: args.rule }
    const written = await call(gatewayApi.restoreRule, { params, query, body: controlsOf(options) })
    return { data: written, text: writtenText(written) + warningText(written.warnings) }
  },
})
