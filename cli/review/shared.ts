/** What the commands about reviews and threads share: arguments, people, and how they are shown. */
import { membersApi } from '../../src/api/members.ts'
import type { Review } from '../../src/api/reviews.ts'
import type { Thread } from '../../src/api/threads.ts'
import { SvcError } from '../../src/errors.ts'
import type { Invocation } from '../declare.ts'
import { readValue } from '../input/named-file.ts'
import { renderTable } from '../table.ts'
import { versionArguments } from '../version/facts.ts'

export const reviewArguments = [
  ...versionArguments,
  { name: 'review', required: true, summary: 'id of the review' },
] as const
export const threadArguments = [
  ...versionArguments,
  { name: 'thread', required: true, summary: 'id of the thread' },
] as const
export const noteOption = { type: 'string', placeholder: 'TEXT', summary: 'a note in Markdown' } as const

/**
 * The id of a member by e-mail address; what is not an address is an id already.
 * @throws SvcError `reviewer-cannot-view` where no member has the address
 */
export async function memberIdOf(name: string, { connection }: Pick<Invocation, 'connection'>): Promise<string> {
  if (!name.includes('@')) return name
  const { call, tenant } = await connection()
  const { items } = await call(membersApi.list, { params: { tenant_slug: await tenant() }, query: { q: name } })
  const found = items.find((it) => it.email.toLowerCase() === name.toLowerCase())
  if (found === undefined) throw new SvcError('reviewer-cannot-view', { user: name })
  return found.user_id
}

const stateOf = ({ state, counts, reason, carried }: Review['reviewers'][number]): string => {
  if (state !== 'approved') return state.replaceAll('_', ' ')
  if (counts) return carried === null ? 'approved' : 'approved before an edit that keeps approvals'
  return `approved, does not count: ${reason ?? ''}`
}

/** A review for a person. */
export const reviewText = (review: Review): string =>
  `${review.project_slug} ${review.version_label}: ${review.status.replaceAll('_', ' ')}${review.closed ? ', closed' : ''}\n` +
  `Review ${review.id}, requested by ${review.requested_by?.name ?? 'the service'} on ${review.created_at.slice(0, 10)}\n` +
  (review.note === '' ? '' : `${review.note}\n`) +
  renderTable(
    ['REVIEWER', 'ANSWER', 'NOTE'],
    review.reviewers.map((one) => [one.name, stateOf(one), one.note]),
  )

/** Reviews as a table. */
export const reviewTable = (reviews: readonly Review[]): string =>
  reviews.length === 0
    ? 'No reviews.\n'
    : renderTable(
        ['ID', 'PROJECT', 'VERSION', 'STATUS', 'REQUESTED BY', 'REVIEWERS'],
        reviews.map((review) => [
          review.id,
          review.project_slug,
          review.version_label,
          review.status.replaceAll('_', ' '),
          review.requested_by?.name ?? '',
          review.reviewers.map(({ name }) => name).join(', '),
        ]),
      )

/** Where a thread is now, for a person. */
export const placeText = ({ anchor, anchor_state, place }: Thread): string =>
  anchor_state === 'anchored'
    ? `${place.key}, line ${place.range.start.line + 1}`
    : `${anchor.key}, ${anchor_state}: now ${place.key}, line ${place.range.start.line + 1}`

/** A thread with its comments, for a person. */
export const threadText = (thread: Thread): string =>
  `${placeText(thread)} (${thread.status})\n` +
  thread.comments
    .map(({ id, author, created_at, body, deleted, suggestion }) => {
      const said = deleted ? 'This comment was deleted.' : body
      const patch =
        suggestion === null ? '' : `\n${suggestion.diff}${suggestion.applied_at === null ? '' : '\n(applied)'}`
      return `\n${author?.name ?? 'The service'}, ${created_at.slice(0, 16).replace('T', ' ')} (${id})\n${said}${patch}\n`
    })
    .join('')

export const patchOption = {
  type: 'string',
  placeholder: 'FILE',
  summary: 'JSON Patch that the comment suggests: a JSON or YAML file, "-" is standard input',
  // The service checks that it is one.
  read: async (file: string, from: Pick<Invocation, 'cwd' | 'io'>) => ({ patch: await readValue(file, from) }),
} as const

/** The text of a comment. */
export const textArgument = { name: 'text', required: true, summary: 'the comment in Markdown', field: 'body' } as const
