import { Review, reviewsApi, reviewStatuses } from '../../src/api/reviews.ts'
import { command } from '../../cli/declare.ts'
import { reviewTable } from '../../cli/review/shared.ts'

export default command({
  summary: 'List the reviews that you are asked for, or that you requested',
  examples: ['svc review mine --status pending', 'svc review mine --authored'],
  arguments: [],
  options: {
    authored: { type: 'boolean', summary: 'the reviews that you requested' },
    status: { type: 'string', placeholder: 'WORD', choices: reviewStatuses, summary: 'only reviews of this status' },
    limit: { type: 'integer', min: 1, max: 200, default: 50, summary: 'maximum number of rows' },
    offset: { type: 'integer', min: 0, default: 0, summary: 'number of rows to skip' },
  },
  dataSchema: { type: 'array', items: Review },
  async run({ options, connection }) {
    const { call, tenant } = await connection()
    const { limit, offset, status } = options
    const { reviews, total } = await call(reviewsApi.mine, {
      params: { tenant_slug: await tenant() },
      query: {
        mine: options.authored ? 'authored' : 'requested',
        limit,
        offset,
        ...(status === undefined ? {} : { status }),
      },
    })
    return { data: reviews, summary: { total, limit, offset }, text: () => reviewTable(reviews) }
  },
})
