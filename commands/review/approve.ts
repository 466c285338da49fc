import { Review, reviewsApi } from '../../src/api/reviews.ts'
import { command } from '../../cli/declare.ts'
import { noteOption, reviewArguments, reviewText, versionParamsOf } from '../../cli/review/shared.ts'

export default command({
  summary: 'Approve what a draft holds now',
  examples: ['svc review approve petstore 1.2.0 REVIEW'],
  arguments: reviewArguments,
  options: { note: noteOption },
  dataSchema: Review,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const review = await call(reviewsApi.decide, {
      params: { ...(await versionParamsOf(args, tenant)), review_id: args.review },
      body: { decision: 'approved', ...(options.note === undefined ? {} : { note: options.note }) },
    })
    return { data: review, text: () => reviewText(review) }
  },
})
