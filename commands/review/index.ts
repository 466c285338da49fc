import { reviewsApi } from '../../src/api/reviews.ts'
import { versionArguments } from '../../cli/version/facts.ts'
import { group } from '../../cli/declare.ts'
import { derive } from '../../cli/derive.ts'
import { listOptions, pageCounts } from '../../cli/paging.ts'
import { memberIdOf, noteOption, reviewArguments, reviewTable, reviewText } from '../../cli/review/shared.ts'

export default group({
  summary: 'Request and answer reviews of drafts',
  commands: {
    list: derive(reviewsApi.list, {
      examples: ['svc review list petstore 1.2.0'],
      arguments: versionArguments,
      options: listOptions,
      data: 'reviews',
      counts: pageCounts,
      text: ({ reviews }) => reviewTable(reviews),
    }),
    mine: derive(reviewsApi.mine, {
      summary: 'List the reviews that wait for you, or that you requested',
      examples: ['svc review mine --status pending', 'svc review mine --authored'],
      options: {
        authored: { type: 'boolean', summary: 'the reviews that you requested', field: 'mine', read: () => 'authored' },
        status: { placeholder: 'WORD', summary: 'only reviews of this status' },
        ...listOptions,
      },
      sends: { mine: 'requested' },
      data: 'reviews',
      counts: pageCounts,
      text: ({ reviews }) => reviewTable(reviews),
    }),
    request: derive(reviewsApi.request, {
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
          field: 'reviewer_ids',
          read: memberIdOf,
        },
        'by-rules': { summary: 'also ask the members that the review rules of the policy name' },
        note: noteOption,
      },
      text: reviewText,
    }),
    approve: derive(reviewsApi.decide, {
      summary: 'Approve the current content of a draft',
      examples: ['svc review approve petstore 1.2.0 REVIEW'],
      arguments: reviewArguments,
      options: { note: noteOption },
      sends: { decision: 'approved' },
      text: reviewText,
    }),
    'request-changes': derive(reviewsApi.decide, {
      summary: 'Request changes to a draft',
      examples: ['svc review request-changes petstore 1.2.0 REVIEW --note "Keep the parameter limit"'],
      arguments: reviewArguments,
      options: { note: noteOption },
      sends: { decision: 'changes_requested' },
      text: reviewText,
    }),
    withdraw: derive(reviewsApi.withdraw, {
      summary: 'Withdraw your decision, or the review that you requested',
      examples: ['svc review withdraw petstore 1.2.0 REVIEW'],
      arguments: reviewArguments,
      text: reviewText,
    }),
  },
})
