import { releasesApi } from '../../../src/api/gateway-releases.ts'
import { command } from '../../../cli/declare.ts'
import { releaseArgument } from '../../../cli/gateway/release.ts'
import { environmentArgument, reasonOption, securityCall, writeOptions } from '../../../cli/gateway/shared.ts'

export default command({
  summary: 'Give the gateways the files of an older release again, until the policy changes',
  description:
    'The policy stays as it is: change it, too, or restore its older version. Where the older release protects less and approvals are required, another person approves it first.',
  examples: ['svc gateway release rollback production 6 --reason "Orders were refused"'],
  arguments: [environmentArgument, releaseArgument],
  options: { reason: reasonOption, approval: writeOptions.approval },
  dataSchema: releasesApi.rollback.response,
  async run({ args, options, connection }) {
    const { call, query } = await securityCall(connection)
    const { reason, approval } = options
    const done = await call(releasesApi.rollback, {
      params: { environment_id: args.environment, release_id: args.release },
      query,
      body: {
        ...(reason === undefined ? {} : { reason }),
        ...(approval === undefined ? {} : { approvalId: approval }),
      },
    })
    return { data: done, text: `${done.message}\n` }
  },
})
