import { gatewayApi } from '../../../src/api/gateway.ts'
import { command } from '../../../cli/declare.ts'
import {
  approvalText,
  environmentArgument,
  exceptionTable,
  groupTable,
  ruleTable,
  securityCall,
  lackText,
} from '../../../cli/gateway/shared.ts'
import { renderFacts } from '../../../cli/table.ts'

export default command({
  summary: 'Show the security policy of an environment: presets, groups, rules, exceptions, and what enforces it',
  examples: ['svc gateway policy show production'],
  arguments: [environmentArgument],
  options: {},
  dataSchema: gatewayApi.get.response,
  async run({ args, connection }) {
    const { call, query } = await securityCall(connection)
    const it = await call(gatewayApi.get, { params: { environment_id: args.environment }, query })
    const { tier, bot, rate, challenge, levels } = it.presets
    const confirmed = it.enforces.filter(({ state }) => state === 'enforced').length
    const facts = renderFacts([
      ['version', String(it.policyVersion)],
      ['digest', it.digest],
      [
        'tier',
        `${tier}: blocks at level ${levels.blocking}, reports at ${levels.detection}, threshold ${levels.threshold}`,
      ],
      ['bots', bot],
      ['rate limit', rate === null ? 'none' : `${rate.limit} in ${rate.windowSeconds} s by ${rate.key ?? 'ip'}`],
      ['challenge', challenge === null ? null : challenge.kind],
      ['enforced', `${confirmed} of ${it.enforces.length} settings are confirmed by a gateway`],
    ])
    const lacking = lackText(it.enforces)
    const waiting = it.pendingApprovals.map(approvalText).join('')
    const text =
      `${facts}${lacking}\n${groupTable(it.managedGroups)}\n${ruleTable(it.rules)}\n${exceptionTable(it.exceptions)}` +
      (waiting === '' ? '' : `\nWaiting for approval:\n${waiting}`)
    return { data: it, text }
  },
})
