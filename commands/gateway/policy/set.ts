import { gatewayApi } from '../../../src/api/gateway.ts'
import { groupModes, tierIds } from '../../../src/gateway/policy/catalogue.ts'
import { SvcError } from '../../../src/errors.ts'
import { command } from '../../../cli/declare.ts'
import {
  controlsOf,
  environmentArgument,
  rateOf,
  reasonOption,
  securityCall,
  writeOptions,
  writtenText,
} from '../../../cli/gateway/shared.ts'

export default command({
  summary: 'Set the tier, bots and the rate limit of a security policy',
  description: 'What is not given keeps its value. The tier "off" needs a reason.',
  examples: [
    'svc gateway policy set production --tier strict --dry-run',
    'svc gateway policy set production --rate 100/60 --reason "Agreed with all teams"',
  ],
  arguments: [environmentArgument],
  options: {
    tier: { type: 'string', placeholder: 'TIER', choices: tierIds, summary: 'how strict the managed groups are' },
    paranoia: { type: 'integer', placeholder: '1-4', summary: 'another blocking level than that of the tier' },
    threshold: { type: 'integer', placeholder: 'N', summary: 'another score at which requests are refused' },
    bot: { type: 'string', placeholder: 'MODE', choices: groupModes, summary: 'what happens to bots' },
    rate: { type: 'string', placeholder: 'N/SECONDS', summary: 'requests in seconds by address, or "none"' },
    reason: reasonOption,
    ...writeOptions,
  },
  dataSchema: gatewayApi.setPresets.response,
  async run({ args, options, connection }) {
    const { tier, paranoia, threshold, bot, rate, reason } = options
    const given = {
      ...(tier === undefined ? {} : { tier }),
      ...(paranoia === undefined ? {} : { paranoia }),
      ...(threshold === undefined ? {} : { threshold }),
      ...(bot === undefined ? {} : { bot }),
      ...(rate === undefined ? {} : { rate: rateOf(rate) }),
    }
    if (Object.keys(given).length === 0)
      throw new SvcError('usage', { reason: 'Give at least one of --tier, --paranoia, --threshold, --bot and --rate' })
    const { call, query } = await securityCall(connection)
    const body = { ...given, ...(reason === undefined ? {} : { reason }), ...controlsOf(options) }
    const written = await call(gatewayApi.setPresets, { params: { environment_id: args.environment }, query, body })
    return { data: written, text: writtenText(written) }
  },
})
