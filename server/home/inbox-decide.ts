import { and, asc, eq, isNotNull, isNull } from 'drizzle-orm'
import type { InboxItem } from '../../src/api/inbox.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import {
  draftBindings,
  environments,
  gatewayReleases,
  gatewayReleaseStates,
  projects,
  reviewReviewers,
  reviews,
  syncCandidates,
  versions,
} from '../../db/tables.gen.ts'
import { describeActors, type Grant, tenantOf } from '../auth/door.ts'
import { changesToDecide } from '../gateway-policy/door.ts'
import { endpointsToApprove } from '../mcp-servers/door.ts'

/** What an inbox is made from: who asks, when, and how links begin. */
export interface InboxQuestion {
  readonly read: Reader
  readonly grant: Grant
  /** The id of the caller. */
  readonly person: string
  /** ISO 8601. */
  readonly now: string
  /** The address of a page of the organization: `linkTo('-', 'reviews')`. */
  readonly linkTo: (...path: string[]) => string
}

const mostOfDetail = 300
/** The beginning of a text of a person, in one line; null where there is none. */
export const beginningOf = (text: string | null | undefined): string | null => {
  const line = (text ?? '').replaceAll(/\s+/g, ' ').trim()
  return line === '' ? null : line.slice(0, mostOfDetail)
}

/** Reviews that the person is asked for. */
export async function reviewsToGive({ read, grant, person, linkTo }: InboxQuestion): Promise<InboxItem[]> {
  if (!grant.permissions.has('versions:view')) return []
  const { id: tenantId } = tenantOf(grant)
  const rows = await read
    .select({
      id: reviews.id,
      by: reviews.requestedBy,
      at: reviews.createdAt,
      note: reviews.note,
      project: { slug: projects.slug, name: projects.name },
      version: { slug: versions.slug, label: versions.label },
    })
    .from(reviewReviewers)
    .innerJoin(reviews, and(eq(reviews.id, reviewReviewers.reviewId), isNull(reviews.withdrawnAt)))
    .innerJoin(versions, and(eq(versions.id, reviews.versionId), eq(versions.tenantId, tenantId)))
    .innerJoin(projects, inTenant(projects, tenantId, eq(projects.id, versions.projectId)))
    .where(
      inTenant(
        reviewReviewers,
        tenantId,
        eq(reviewReviewers.userId, person),
        eq(reviewReviewers.state, 'pending'),
        eq(reviews.tenantId, tenantId),
        eq(versions.status, 'draft'),
      ),
    )
    .orderBy(asc(reviews.createdAt), asc(reviews.id))
  const names = await describeActors(
    read,
    tenantId,
    rows.map(({ by }) => by),
  )
  return rows.map(({ id, by, at, note, project, version }) => ({
    id: `review:${id}`,
    kind: 'review',
    urgency: 'normal',
    subject: `${project.name} ${version.label}`,
    what: 'Your review is requested',
    detail: beginningOf(note),
    who: names.get(by ?? '')?.name ?? null,
    since: at,
    ends_at: null,
    action: 'Review',
    url: linkTo(project.slug, version.slug, 'review'),
    notification_id: null,
  }))
}

/** Changes of gateway policies: those of others that wait for an approval, and own ones that were approved. */
export async function gatewayChanges({ read, grant, person, now, linkTo }: InboxQuestion): Promise<InboxItem[]> {
  const { id: tenantId } = tenantOf(grant)
  const may = { approve: grant.permissions.has('security:approve'), edit: grant.permissions.has('security:edit') }
  const rows = await changesToDecide(read, tenantId, person, may, now)
  const names = await describeActors(
    read,
    tenantId,
    rows.map(({ requestedBy }) => requestedBy),
  )
  return rows.map((row) => ({
    id: `gateway_change:${row.id}`,
    kind: 'gateway_change',
    // A request is worth nothing after a day.
    urgency: 'high',
    subject: row.environment.name,
    what:
      row.step === 'approve'
        ? 'A change of the policy needs approval'
        : 'A change of the policy was approved: apply it',
    detail: beginningOf(row.summary.join(' ')),
    who: names.get(row.requestedBy)?.name ?? null,
    since: row.requestedAt,
    ends_at: row.expiresAt,
    action: row.step === 'approve' ? 'Approve' : 'Apply',
    url: linkTo('-', 'gateway', row.environment.slug, 'approvals'),
    notification_id: null,
  }))
}

/** Releases of a newer compiler, which gateways get when a person takes them. */
export async function stagedReleases({ read, grant, linkTo }: InboxQuestion): Promise<InboxItem[]> {
  if (!grant.permissions.has('security:edit')) return []
  const { id: tenantId } = tenantOf(grant)
  const states = await read
    .select({
      staged: gatewayReleaseStates.staged,
      environmentId: environments.id,
      slug: environments.slug,
      name: environments.name,
    })
    .from(gatewayReleaseStates)
    .innerJoin(
      environments,
      and(eq(environments.id, gatewayReleaseStates.environmentId), eq(environments.tenantId, tenantId)),
    )
    .where(inTenant(gatewayReleaseStates, tenantId, isNotNull(gatewayReleaseStates.staged)))
  const items = states.map(async ({ staged, environmentId, slug, name }): Promise<InboxItem[]> => {
    const [release] =
      staged === null
        ? []
        : await read
            .select({ id: gatewayReleases.id, number: gatewayReleases.number, at: gatewayReleases.createdAt })
            .from(gatewayReleases)
            .where(
              inTenant(
                gatewayReleases,
                tenantId,
                eq(gatewayReleases.environmentId, environmentId),
                eq(gatewayReleases.id, staged.releaseId),
              ),
            )
    if (release === undefined) return []
    return [
      {
        id: `gateway_release:${release.id}`,
        kind: 'gateway_release',
        urgency: 'normal',
        subject: name,
        what: `Release ${release.number} of a newer compiler waits to be taken`,
        detail: null,
        who: null,
        since: release.at,
        ends_at: null,
        action: 'Take',
        url: linkTo('-', 'gateway', slug, 'releases'),
        notification_id: null,
      },
    ]
  })
  return (await Promise.all(items)).flat()
}

/** MCP servers whose surface waits for an approval. */
export async function surfacesToApprove({ read, grant, person, linkTo }: InboxQuestion): Promise<InboxItem[]> {
  if (!grant.permissions.has('mcp:govern')) return []
  const rows = await endpointsToApprove(read, tenantOf(grant).id, person)
  return rows.map(({ id, name, isDrift, since }) => ({
    id: `mcp_surface:${id}`,
    kind: 'mcp_surface',
    // Agents use what nobody approved.
    urgency: isDrift ? 'high' : 'normal',
    subject: name,
    what: isDrift ? 'It offers something else than was approved' : 'What it offers was never approved',
    detail: null,
    who: null,
    since,
    ends_at: null,
    action: 'Approve',
    url: linkTo('-', 'mcp-servers', id, ...(isDrift ? ['changes'] : [])),
    notification_id: null,
  }))
}

const severityWords = {
  breaking: 'breaking changes',
  'non-breaking': 'safe changes',
  'docs-only': 'changes of the documentation',
} as const

/** Changes of repositories that drafts can take. */
export async function candidatesToDecide({ read, grant, linkTo }: InboxQuestion): Promise<InboxItem[]> {
  if (!grant.permissions.has('versions:edit')) return []
  const { id: tenantId } = tenantOf(grant)
  const rows = await read
    .select({
      id: syncCandidates.id,
      summary: syncCandidates.summary,
      at: syncCandidates.detectedAt,
      repository: draftBindings.repoFullName,
      ref: draftBindings.ref,
      project: { slug: projects.slug, name: projects.name },
      version: { slug: versions.slug, label: versions.label },
    })
    .from(syncCandidates)
    .innerJoin(
      draftBindings,
      inTenant(
        draftBindings,
        tenantId,
        eq(draftBindings.id, syncCandidates.bindingId),
        isNull(draftBindings.releasedAt),
      ),
    )
    .innerJoin(versions, and(eq(versions.id, draftBindings.versionId), eq(versions.tenantId, tenantId)))
    .innerJoin(projects, inTenant(projects, tenantId, eq(projects.id, versions.projectId)))
    .where(inTenant(syncCandidates, tenantId, eq(syncCandidates.status, 'pending'), eq(versions.status, 'draft')))
    .orderBy(asc(syncCandidates.detectedAt), asc(syncCandidates.id))
  return rows.map(({ id, summary, at, repository, ref, project, version }) => ({
    id: `candidate:${id}`,
    kind: 'candidate',
    urgency: 'normal',
    subject: `${project.name} ${version.label}`,
    what: `${repository} moved on ${ref}: ${summary?.severity == null ? 'changes to take or dismiss' : severityWords[summary.severity]}`,
    detail: null,
    who: null,
    since: at,
    ends_at: null,
    action: 'Decide',
    url: linkTo(project.slug, version.slug, 'repository', id),
    notification_id: null,
  }))
}
