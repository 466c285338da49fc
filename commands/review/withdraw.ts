import { Review, reviewsApi } from '../../src/api/reviews.ts'
import { command } from '../../cli/declare.ts'
import { reviewArguments, reviewText, versionParamsOf } from '../../cli/review/shared.ts'

export default command({
  summary: 'Take back your decision, or the review that you requested',
  examples: ['svc review withdraw petstore 1.2.0 REVIEW'],
  arguments: reviewArguments,
  options: {},
  dataSchema: Review,
  async run({ args, connection }) {
    const { call, tenant } = await connection()
    const params = { ...(await versionParamsOf(args, tenant)), review_id: args.review }
    const review = await call(reviewsApi.withdraw, { params })
    return { data: review, text: () => reviewText(review) }
  },
})
