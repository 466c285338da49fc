import { Review, reviewsApi } from '../../src/api/reviews.ts'
import { command } from '../../cli/declare.ts'
import { memberIdOf, noteOption, reviewText, versionParamsOf } from '../../cli/review/shared.ts'
import { versionArguments } from '../../cli/version/facts.ts'

export default command({
  summary: 'Ask members to review a draft',
  examples: [
    'svc review request petstore 1.2.0 --reviewer ada@example.com',
    'svc review request petstore 1.2.0 --by-rules --note "Adds the owner of a pet"',
  ],
  arguments: versionArguments,
  options: {
    reviewer: {
      type: 'string',
      multiple: true,
      placeholder: 'WHO',
      summary: 'e-mail address or id of a member who can decide (repeatable, at most 10)',
    },
    'by-rules': { type: 'boolean', summary: 'also ask the members that the review rules of the policy name' },
    note: noteOption,
  },
  dataSchema: Review,
  async run({ args, options, connection }) {
    const { call, tenant } = await connection()
    const params = await versionParamsOf(args, tenant)
    const reviewers: string[] = []
    for (const name of options.reviewer) reviewers.push(await memberIdOf(call, params.tenant_slug, name))
    const review = await call(reviewsApi.request, {
      params,
      body: {
        ...(reviewers.length === 0 ? {} : { reviewer_ids: reviewers }),
        ...(options['by-rules'] ? { by_rules: true } : {}),
        ...(options.note === undefined ? {} : { note: options.note }),
      },
    })
    return { data: review, text: () => reviewText(review) }
  },
})
