import { enforcersApi } from '../../../src/api/gateway-enforcers.ts'
import { command } from '../../../cli/declare.ts'
import { enforcerArgument } from '../../../cli/gateway/enforcer.ts'
import { environmentArgument, securityCall, writeOptions } from '../../../cli/gateway/shared.ts'

export default command({
  summary: 'Remove a gateway; its key ends immediately',
  description:
    'The gateway keeps the release that it has. Where approvals are required, another person approves it first.',
  examples: ['svc gateway enforcer remove production edge-1'],
  arguments: [environmentArgument, enforcerArgument],
  options: { approval: writeOptions.approval },
  async run({ args, options, connection }) {
    const { call, query } = await securityCall(connection)
    const params = { environment_id: args.environment, enforcer_id: args.gateway }
    const { approval } = options
    await call(enforcersApi.remove, {
      params,
      query: { ...query, ...(approval === undefined ? {} : { approvalId: approval }) },
    })
    return { data: null, text: `Removed ${args.gateway}.\n` }
  },
})
