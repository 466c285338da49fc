import { eq } from 'drizzle-orm'
import { inTenant, isTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { comments, projects, reviewReviewers, tenants, versionEditors, versions } from '../../db/tables.gen.ts'
import type { Deps } from '../kit/door.ts'
import type { EventOf } from '../outbox/door.ts'
import { personIn } from '../auth/door.ts'
import { sendNotifications, type About, type Audience } from './send.ts'

/** An event that people are notified of. */
type NotifiedEvent = EventOf<'notifications'>

/** What an event is about, as texts and links name it. */
interface Subject {
  readonly name: string
  readonly url: string
  readonly createdBy: string | null
}

async function subjectOf(deps: Deps, read: Reader, tenantId: string, versionId: string): Promise<Subject | null> {
  const [row] = await read
    .select({
      tenant: tenants.slug,
      project: projects.slug,
      title: projects.name,
      label: versions.label,
      slug: versions.slug,
      createdBy: versions.createdBy,
    })
    .from(versions)
    .innerJoin(projects, inTenant(projects, tenantId, eq(projects.id, versions.projectId)))
    .innerJoin(tenants, isTenant(versions.tenantId))
    .where(inTenant(versions, tenantId, eq(versions.id, versionId)))
  if (row === undefined) return null
  const place = [row.tenant, row.project, row.slug].map(encodeURIComponent).join('/')
  return {
    name: `${row.title} ${row.label}`,
    url: `${deps.publicUrl()}/app/t/${place}`,
    createdBy: row.createdBy,
  }
}

/** The people who made, edited or commented a version, or were asked to review it. */
async function collaboratorsOf(read: Reader, tenantId: string, versionId: string): Promise<string[]> {
  const editors = await read
    .select({ actor: versionEditors.actor })
    .from(versionEditors)
    .where(inTenant(versionEditors, tenantId, eq(versionEditors.versionId, versionId)))
  const authors = await read
    .selectDistinct({ actor: comments.author })
    .from(comments)
    .where(inTenant(comments, tenantId, eq(comments.versionId, versionId)))
  const asked = await read
    .select({ id: reviewReviewers.userId })
    .from(reviewReviewers)
    .where(inTenant(reviewReviewers, tenantId, eq(reviewReviewers.versionId, versionId)))
  return [...[...editors, ...authors].flatMap(({ actor }) => personIn(actor) ?? []), ...asked.map(({ id }) => id)]
}

/** Who an event concerns, who caused it, and the text for those who watch the project. */
interface Report extends Pick<About, 'actor' | 'general'> {
  readonly audiences: readonly Audience[]
}

/** What an event says, and to whom. */
async function reportOf(read: Reader, event: NotifiedEvent, { name, url, createdBy }: Subject): Promise<Report> {
  const review = `${url}/review`
  switch (event.type) {
    case 'version.published': {
      const { published_by: actor, version_id } = event.payload
      const people = await collaboratorsOf(read, event.tenantId, version_id)
      const all = [...people, ...[personIn(createdBy)].filter((it) => it !== null)]
      const general = { type: 'version_published', payload: { title: `${name} was published`, url } } as const
      return { actor, audiences: [{ ...general, people: all }], general }
    }
    case 'comment.mentioned': {
      const { by, people, excerpt, thread_id } = event.payload
      const payload = {
        title: `You were mentioned in a comment on ${name}`,
        excerpt,
        thread_id,
        url: `${review}?thread=${thread_id}`,
      }
      return { actor: by, audiences: [{ type: 'mention', people, payload }] }
    }
    case 'thread.resolved': {
      const { by, participants, place, thread_id } = event.payload
      const payload = {
        title: `A thread on ${name} was resolved`,
        excerpt: place,
        thread_id,
        url: `${review}?thread=${thread_id}`,
      }
      const people = participants.flatMap((it) => personIn(it) ?? [])
      const general = { type: 'thread_resolved', payload } as const
      return { actor: by, audiences: [{ ...general, people }], general }
    }
    case 'review.requested': {
      const { by, reviewers, mentions, excerpt, review_id } = event.payload
      const about = { excerpt, review_id, url: review }
      const asked = { ...about, title: `Your review of ${name} was requested` }
      const mentioned = { ...about, title: `You were mentioned in a review request for ${name}` }
      return {
        actor: by,
        audiences: [
          { type: 'mention', people: mentions, payload: mentioned },
          { type: 'review_requested', people: reviewers, payload: asked },
        ],
        general: { type: 'review_requested', payload: { ...about, title: `A review of ${name} was requested` } },
      }
    }
    case 'review.decided': {
      const { by, decision, requested_by, mentions, excerpt, review_id } = event.payload
      const about = { excerpt, review_id, decision, url: review }
      const did = decision === 'approved' ? `${name} was approved` : `Changes to ${name} were requested`
      const requester = personIn(requested_by)
      const general = { type: 'review_decision', payload: { ...about, title: did } } as const
      return {
        actor: by,
        audiences: [
          {
            type: 'mention',
            people: mentions,
            payload: { ...about, title: `You were mentioned in a review of ${name}` },
          },
          { ...general, people: requester === null ? [] : [requester] },
        ],
        general,
      }
    }
  }
}

/** Writes the notifications of an event. What was deleted since is not reported. */
export async function notifyOf(deps: Deps, tx: Transaction, event: NotifiedEvent): Promise<void> {
  const { tenantId, payload } = event
  const subject = await subjectOf(deps, tx, tenantId, payload.version_id)
  if (subject === null) return
  const { audiences, ...report } = await reportOf(tx, event, subject)
  const about = { ...report, projectId: payload.project_id, versionId: payload.version_id }
  await sendNotifications(tx, event, about, audiences)
}
