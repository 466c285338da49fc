import { ReleaseDetail, releasesApi } from '../../../src/api/gateway-releases.ts'
import { command } from '../../../cli/declare.ts'
import { releaseArgument, releaseText } from '../../../cli/gateway/release.ts'
import { environmentArgument, securityCall } from '../../../cli/gateway/shared.ts'

export default command({
  summary: 'Show a release: why it was made, its files, and what is not enforced',
  examples: ['svc gateway release show production 7'],
  arguments: [environmentArgument, releaseArgument],
  options: {},
  dataSchema: ReleaseDetail,
  async run({ args, connection }) {
    const { call, query } = await securityCall(connection)
    const params = { environment_id: args.environment, release_id: args.release }
    const found = await call(releasesApi.get, { params, query })
    return { data: found, text: releaseText(found) }
  },
})
