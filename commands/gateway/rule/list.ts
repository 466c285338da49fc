import { gatewayApi } from '../../../src/api/gateway.ts'
import { command } from '../../../cli/declare.ts'
import { environmentArgument, ruleTable, securityCall } from '../../../cli/gateway/shared.ts'

export default command({
  summary: 'List the custom rules of a policy in their order',
  examples: ['svc gateway rule list production', 'svc gateway rule list production --removed'],
  arguments: [environmentArgument],
  options: { removed: { type: 'boolean', summary: 'list the removed rules, which can be restored' } },
  async run({ args, options, connection }) {
    const { call, query } = await securityCall(connection)
    const it = await call(gatewayApi.get, { params: { environment_id: args.environment }, query })
    const rules = options.removed ? it.removedRules : it.rules
    return { data: { policyVersion: it.policyVersion, rules }, text: ruleTable(rules) }
  },
})
