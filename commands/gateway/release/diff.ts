import { releasesApi } from '../../../src/api/gateway-releases.ts'
import { command } from '../../../cli/declare.ts'
import { comparisonText } from '../../../cli/gateway/release.ts'
import { environmentArgument, securityCall } from '../../../cli/gateway/shared.ts'

export default command({
  summary: 'Compare two releases: files, lines, and settings that are enforced otherwise',
  examples: ['svc gateway release diff production 6 7'],
  arguments: [
    environmentArgument,
    { name: 'from', required: true, summary: 'number or id of the older release' },
    { name: 'to', required: true, summary: 'number or id of the newer release' },
  ],
  options: {},
  dataSchema: releasesApi.list.response,
  async run({ args, connection }) {
    const { call, query } = await securityCall(connection)
    const found = await call(releasesApi.list, {
      params: { environment_id: args.environment },
      query: { ...query, limit: 1, from: args.from, to: args.to },
    })
    return { data: found, text: found.comparison === null ? '' : comparisonText(found.comparison) }
  },
})
