import { Review, reviewsApi } from '../../src/api/reviews.ts'
import { command } from '../../cli/declare.ts'
import { reviewTable, versionParamsOf } from '../../cli/review/shared.ts'
import { versionArguments } from '../../cli/version/facts.ts'

export default command({
  summary: 'List the reviews of a version, newest first',
  examples: ['svc review list petstore 1.2.0'],
  arguments: versionArguments,
  options: {
    limit: { type: 'integer', min: 1, max: 200, default: 50, summary: 'maximum number of rows' },
    offset: { type: 'integer', min: 0, default: 0, summary: 'number of rows to skip' },
  },
  dataSchema: { type: 'array', items: Review },
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const params = await versionParamsOf(args, tenant)
    const { limit, offset } = options
    const { reviews, total } = await call(reviewsApi.list, { params, query: { limit, offset } })
    return { data: reviews, summary: { total, limit, offset }, text: () => reviewTable(reviews) }
  },
})
