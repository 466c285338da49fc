import { gatewayApi } from '../../../src/api/gateway.ts'
import { SvcError } from '../../../src/errors.ts'
import { command } from '../../../cli/declare.ts'
import { ruleArgument, ruleOf, ruleOptions, warningText } from '../../../cli/gateway/rule.ts'
import {
  controlsOf,
  environmentArgument,
  securityCall,
  writeOptions,
  writtenText,
} from '../../../cli/gateway/shared.ts'

export default command({
  summary: 'Change a custom rule, or switch it on or off',
  examples: ['svc gateway rule update production 01a1fdb6-5607-74ce-8102-e0af632fd4cf --off'],
  arguments: [environmentArgument, ruleArgument],
  options: {
    name: { type: 'string', placeholder: 'NAME', summary: 'another name' },
    ...ruleOptions,
    on: { type: 'boolean', summary: 'switch it on' },
    off: { type: 'boolean', summary: 'switch it off' },
    ...writeOptions,
  },
  dataSchema: gatewayApi.updateRule.response,
  async run(invocation) {
    const { args, options, connection } = invocation
    const { name, action, on, off } = options
    if (on && off) throw new SvcError('usage', { reason: 'Give --on or --off, not both' })
    const body = {
      ...(name === undefined ? {} : { name }),
      ...(action === undefined ? {} : { action }),
      ...(await ruleOf(options, invocation)),
      ...(on || off ? { enabled: on } : {}),
      ...controlsOf(options),
    }
    const { call, query } = await securityCall(connection)
    const params = { environment_id: args.environment, rule_id: args.rule }
    const written = await call(gatewayApi.updateRule, { params, query, body })
    return { data: written, text: writtenText(written) + warningText(written.warnings) }
  },
})
