import { releasesApi } from '../../../src/api/gateway-releases.ts'
import { command } from '../../../cli/declare.ts'
import { releaseTable } from '../../../cli/gateway/release.ts'
import { countText, environmentArgument, securityCall } from '../../../cli/gateway/shared.ts'

export default command({
  summary: 'List the releases of an environment, newest first',
  examples: ['svc gateway release list production'],
  arguments: [environmentArgument],
  options: {
    limit: { type: 'integer', placeholder: 'N', default: 20, summary: 'at most so many releases, up to 200' },
  },
  dataSchema: releasesApi.list.response,
  async run({ args, options, connection }) {
    const { call, query } = await securityCall(connection)
    const found = await call(releasesApi.list, {
      params: { environment_id: args.environment },
      query: { ...query, limit: options.limit },
    })
    const { releases, failure, total } = found
    const failed =
      failure === null
        ? ''
        : `There is no release of version ${failure.policyVersion} of the policy: ${failure.reason}\n`
    const text =
      releases.length === 0
        ? 'No releases. The first one is made by a server when a gateway is added: svc gateway enforcer create\n'
        : releaseTable(releases) + countText(releases.length, total, 'release')
    return { data: found, text: failed + text }
  },
})
