import { type InboxCounts, type InboxItem, type InboxKind, inboxKinds, urgencies } from '../../src/api/inbox.ts'
import { type Grant, tenantOf } from '../auth/door.ts'
import type { Deps } from '../kit/door.ts'
import {
  candidatesToDecide,
  gatewayChanges,
  type InboxQuestion,
  reviewsToGive,
  stagedReleases,
  surfacesToApprove,
} from './inbox-decide.ts'
import { countNews, failing, newsItems } from './inbox-look.ts'

const rankOf = ({ urgency }: InboxItem): number => urgencies.indexOf(urgency)

/** The urgent first; what is to be decided by how long it waits, what is to be looked at newest first. */
function byUrgency(a: InboxItem, b: InboxItem): number {
  const rank = rankOf(a) - rankOf(b)
  if (rank !== 0) return rank
  const age = a.since.localeCompare(b.since) || a.id.localeCompare(b.id)
  return a.urgency === 'low' ? -age : age
}

const nothing = (): InboxCounts => ({
  total: 0,
  decide: 0,
  by_kind: {
    review: 0,
    gateway_change: 0,
    gateway_release: 0,
    mcp_surface: 0,
    candidate: 0,
    webhook: 0,
    mention: 0,
    news: 0,
  },
})

export interface InboxAsked {
  readonly kind: InboxKind | null
  readonly limit: number
  readonly offset: number
}

const isNews = (kind: InboxKind | null): kind is 'mention' | 'news' => kind === 'mention' || kind === 'news'

/** Everything that waits for the caller, whole in the counts, in pages in the list; a key has no inbox. */
export async function showInbox(deps: Deps, grant: Grant, { kind, limit, offset }: InboxAsked) {
  const counts = nothing()
  if (grant.principal?.kind !== 'user') return { items: [], counts, total: 0, limit, offset }
  const { slug } = tenantOf(grant)
  const asked: InboxQuestion = {
    read: deps.db.read,
    grant,
    person: grant.principal.userId,
    now: deps.clock.iso(),
    linkTo: (...path) => `${deps.publicUrl()}/app/t/${[slug, ...path].map(encodeURIComponent).join('/')}`,
  }
  const sources = [reviewsToGive, gatewayChanges, stagedReleases, surfacesToApprove, candidatesToDecide, failing]
  const [news, ...found] = await Promise.all([countNews(asked), ...sources.map((source) => source(asked))])
  const rows = found.flat()
  for (const it of rows) {
    counts.by_kind[it.kind] += 1
    if (it.urgency !== 'low') counts.decide += 1
  }
  Object.assign(counts.by_kind, news)
  counts.total = inboxKinds.reduce((sum, it) => sum + counts.by_kind[it], 0)
  // News may be many: no more are read than this page can show.
  const isAsked = limit > 0 && (kind === null || isNews(kind))
  const latest = isAsked ? await newsItems(asked, kind, offset + limit) : []
  const listed = [...rows.filter((it) => kind === null || it.kind === kind), ...latest].toSorted(byUrgency)
  return {
    items: listed.slice(offset, offset + limit),
    counts,
    total: kind === null ? counts.total : counts.by_kind[kind],
    limit,
    offset,
  }
}
