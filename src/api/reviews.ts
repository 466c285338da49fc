import { Type, type Static } from '@sinclair/typebox'
import { changeSeverities } from '../diff/change.ts'
import { ChangeSide } from './change-shapes.ts'
import { endpoint } from './endpoint.ts'
import { ExcerptLine } from './excerpt.ts'
import { bodyOf, dateTime, oneOf, orNull, titled } from '../kernel/shapes.ts'
import { stableQuery } from './shapes.ts'
import { Person } from './threads.ts'
import {
  countedStablePage,
  idParam,
  may,
  person,
  tenantParams,
  tenantPath,
  versionErrors,
  versionParams,
  versionPath,
  listed,
} from './kit.ts'

export const reviewStatuses = ['pending', 'approved', 'changes_requested', 'stale', 'withdrawn'] as const
export const decisions = ['approved', 'changes_requested'] as const

const Reviewer = titled(
  'Reviewer',
  Type.Object({
    user_id: Type.String(),
    name: Type.String(),
    state: oneOf(['pending', 'approved', 'changes_requested', 'withdrawn']),
    note: Type.String(),
    decided_at: orNull(dateTime()),
    digest: orNull(Type.String({ description: 'The content that was decided about.' })),
    carried: orNull(
      Type.Object(
        { from_digest: Type.String(), severity: orNull(oneOf(changeSeverities)) },
        { description: 'The content changed since, in a way after which the policy keeps approvals.' },
      ),
    ),
    counts: Type.Boolean({ description: 'Whether it is an approval that counts for publishing.' }),
    reason: orNull(Type.String({ description: 'Why an approval does not count.' })),
  }),
)

export const Review = titled(
  'Review',
  Type.Object({
    id: Type.String(),
    project_id: Type.String(),
    project_slug: Type.String(),
    version_id: Type.String(),
    version_label: Type.String(),
    requested_by: orNull(Person),
    note: Type.String(),
    reviewers: Type.Array(Reviewer),
    content_digest: Type.String({ description: 'What the version held when the review was requested.' }),
    status: oneOf(
      reviewStatuses,
      'stale: all approved, but not what the version holds now. withdrawn: the request was taken back.',
    ),
    closed: Type.Boolean({
      description: 'No decision is possible: withdrawn, or the version is not a draft any more.',
    }),
    created_at: dateTime(),
  }),
)
export type Review = Static<typeof Review>

const base = `${versionPath}/reviews`
const reviewParams = { ...versionParams, review_id: idParam }
const ofReview = [...versionErrors, 'review-not-found', 'review-closed', 'analysis-stopped'] as const
const note = Type.Optional(Type.String({ maxLength: 10_000, description: 'Markdown; mentions as in comments.' }))
const list = titled(
  'ReviewListResponse',
  Type.Object({
    reviews: Type.Array(Review),
    ...countedStablePage,
  }),
)

const Lines = Type.Array(ExcerptLine)
const Hunk = titled(
  'ReviewHunk',
  Type.Object(
    {
      before: Lines,
      old: Lines,
      now: Lines,
      after: Lines,
    },
    { description: 'Lines that were removed (old) and added (now), with lines around them that both documents have.' },
  ),
)
export type Hunk = Static<typeof Hunk>

const HunkPlace = titled(
  'ReviewHunkPlace',
  Type.Object({
    old: Type.Integer({ description: 'The first removed line of the base, from 0.' }),
    removed: Type.Integer({ description: 'At most 100; longer ones follow as further places.' }),
    now: Type.Integer({ description: 'The first added line of the version, from 0.' }),
    added: Type.Integer({ description: 'At most 100.' }),
  }),
)
export type HunkPlace = Static<typeof HunkPlace>

/** Reviews of drafts: who is asked, what they answered, and whether that still counts. */
export const reviewsApi = {
  list: endpoint({
    id: 'reviews.list',
    origin: 'own',
    method: 'GET',
    path: base,
    summary: 'List the reviews of a version, newest first',
    access: may('versions:view'),
    params: Type.Object(versionParams),
    query: Type.Object(stableQuery),
    response: list,
    errors: [...versionErrors, 'analysis-stopped'],
  }),
  request: endpoint({
    id: 'reviews.request',
    origin: 'own',
    method: 'POST',
    path: base,
    summary: 'Ask members to review a draft, by name or by the rules of its policy',
    access: may('versions:edit'),
    params: Type.Object(versionParams),
    body: titled(
      'ReviewRequest',
      bodyOf({
        reviewer_ids: Type.Optional(
          Type.Array(Type.String(), { minItems: 1, maxItems: 10, description: 'Ids of members who can decide.' }),
        ),
        by_rules: Type.Optional(
          Type.Boolean({ description: 'Also ask the members that the review rules of the policy name.' }),
        ),
        note,
      }),
    ),
    status: 201,
    response: Review,
    errors: [
      ...versionErrors,
      'version-published',
      'reviewer-cannot-view',
      'reviewer-cannot-decide',
      'reviewer-is-author',
      'reviewers-missing',
      'inbox-full',
      'analysis-stopped',
    ],
  }),
  decide: endpoint({
    id: 'reviews.decide',
    origin: 'own',
    method: 'POST',
    path: `${base}/{review_id}/decision`,
    summary: 'Approve the content of a draft, or request changes',
    access: person('reviews:decide'),
    params: Type.Object(reviewParams),
    body: titled(
      'ReviewDecision',
      bodyOf({
        decision: oneOf(decisions),
        note,
        expected_digest: Type.Optional(
          Type.String({ description: 'Digest of the document that you looked at; refused if it is another one now.' }),
        ),
      }),
    ),
    response: Review,
    errors: [...ofReview, 'reviewer-not-asked', 'reviewer-is-author', 'document-changed'],
  }),
  withdraw: endpoint({
    id: 'reviews.withdraw',
    origin: 'own',
    method: 'POST',
    path: `${base}/{review_id}/withdraw`,
    summary: 'Withdraw your decision, or the request if you made it',
    access: { ...may('versions:view'), writes: true },
    params: Type.Object(reviewParams),
    response: Review,
    errors: [...ofReview, 'permission-denied'],
  }),
  hunks: endpoint({
    id: 'reviews.hunks',
    origin: 'own',
    method: 'GET',
    path: `${versionPath}/hunks`,
    summary: 'Get the lines that a version changes against the version before, in pieces',
    access: may('versions:view'),
    params: Type.Object(versionParams),
    query: Type.Object({
      offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000, default: 0 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 5000, default: 500, description: 'How many places.' })),
      lines: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 100, default: 50, description: 'How many of them with their lines.' }),
      ),
    }),
    response: Type.Object({
      base: orNull(ChangeSide),
      head: ChangeSide,
      total: Type.Integer({ description: 'How many places changed.' }),
      lines_total: Type.Integer({ description: 'How many lines the document of the version has.' }),
      places: Type.Array(HunkPlace),
      hunks: Type.Array(Hunk, {
        description: 'The lines of the first places; fewer than asked for where they have over 400,000 characters.',
      }),
    }),
    errors: [...versionErrors, 'analysis-stopped'],
  }),
  mine: endpoint({
    id: 'reviews.mine',
    origin: 'own',
    method: 'GET',
    path: `${tenantPath}/reviews`,
    summary: 'List reviews of an organization, newest first: all, those that wait for you, or those you requested',
    access: listed(may('versions:view')),
    params: Type.Object(tenantParams),
    query: Type.Object({
      mine: Type.Optional(oneOf(['requested', 'authored'], 'requested: you are asked. authored: you asked.')),
      status: Type.Optional(oneOf(reviewStatuses)),
      ...stableQuery,
    }),
    response: list,
    errors: ['analysis-stopped'],
  }),
} as const
