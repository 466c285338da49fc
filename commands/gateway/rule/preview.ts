import { gatewayApi } from '../../../src/api/gateway.ts'
import { SvcError } from '../../../src/errors.ts'
import { command } from '../../../cli/declare.ts'
import { ruleOf, ruleOptions, warningText } from '../../../cli/gateway/rule.ts'
import { environmentArgument, previewText, securityCall } from '../../../cli/gateway/shared.ts'

export default command({
  summary: 'Show what is unsafe in a rule, and what it would have done to recorded events',
  examples: ['svc gateway rule preview production --where \'http.path starts "/admin"\''],
  arguments: [environmentArgument],
  options: ruleOptions,
  dataSchema: gatewayApi.previewRule.response,
  async run(invocation) {
    const { args, options, connection } = invocation
    const given = await ruleOf(options, invocation)
    if (!('expressionText' in given)) throw new SvcError('usage', { reason: 'Give --where or --where-file' })
    const { call, query } = await securityCall(connection)
    const found = await call(gatewayApi.previewRule, {
      params: { environment_id: args.environment },
      query,
      body: { action: options.action ?? 'block', ...given },
    })
    const { refusals, warnings, expressionText, matching, approvalRequired } = found
    const text =
      `${expressionText}\n` +
      refusals.map(({ code, reason }) => `Refused: ${code}: ${reason}.\n`).join('') +
      warningText(warnings) +
      (approvalRequired ? 'It needs the approval of another person.\n' : '') +
      `Recorded requests that meet it: ${matching.yes} yes, ${matching.no} no, ${matching.unknown} unknown.\n` +
      previewText(found.preview)
    return { data: found, text, exitCode: refusals.length > 0 ? 2 : 0 }
  },
})
