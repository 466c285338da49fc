import { gatewayApi } from '../../../src/api/gateway.ts'
import { SvcError } from '../../../src/errors.ts'
import { command } from '../../../cli/declare.ts'
import { ruleOf, ruleOptions, warningText } from '../../../cli/gateway/rule.ts'
import {
  controlsOf,
  environmentArgument,
  securityCall,
  writeOptions,
  writtenText,
} from '../../../cli/gateway/shared.ts'

export default command({
  summary: 'Add a custom rule; unsafe ones are refused by name',
  examples: [
    'svc gateway rule add production "Admin" --action block --where \'http.path starts "/admin" and not ip.src cidr "10.0.0.0/8"\'',
    'svc gateway rule add production "Login" --action rate-limit --rate 10/60 --where \'http.route eq "/login"\' --dry-run',
  ],
  arguments: [environmentArgument, { name: 'name', required: true, summary: 'name of the rule' }],
  options: { ...ruleOptions, off: { type: 'boolean', summary: 'add it switched off' }, ...writeOptions },
  dataSchema: gatewayApi.createRule.response,
  async run(invocation) {
    const { args, options, connection } = invocation
    const { action } = options
    if (action === undefined) throw new SvcError('usage', { reason: 'Give --action' })
    const given = await ruleOf(options, invocation)
    if (!('expressionText' in given)) throw new SvcError('usage', { reason: 'Give --where or --where-file' })
    const { call, query } = await securityCall(connection)
    const written = await call(gatewayApi.createRule, {
      params: { environment_id: args.environment },
      query,
      body: { name: args.name, action, ...given, ...(options.off ? { enabled: false } : {}), ...controlsOf(options) },
    })
    const id = written.dryRun ? '' : `Rule ${written.rule.id}\n`
    return { data: written, text: id + writtenText(written) + warningText(written.warnings) }
  },
})
