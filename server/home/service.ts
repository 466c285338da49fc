import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import { summarizeStale } from '../../db/projects/summary.ts'
import { projects } from '../../db/tables.gen.ts'
import type { AttentionKind, Home } from '../../src/api/home.ts'
import { type Grant, personOf, tenantOf } from '../auth/door.ts'
import type { Identity } from '../sign-in/door.ts'
import type { Deps } from '../kit/door.ts'
import { sampleSlug } from '../sample/door.ts'
import { recentActivity } from './activity.ts'
import { attentionOf } from './attention.ts'
import { assessedDrafts, evaluatedDrafts, queueAssessments } from './drafts.ts'
import { firstSteps, ownOf } from './own.ts'
import { readGuides } from './standing.ts'

/**
 * What needs attention in an organization, what happened lately, and what is the caller's. No document is read: what takes a
 * comparison was kept by a job, which is queued where it may be outdated.
 * @param asked `only` one kind of attention, null: all; `items`: how many are listed of each
 */
export async function showHome(
  deps: Deps,
  grant: Grant,
  asked: { readonly only: AttentionKind | null; readonly items: number },
): Promise<Home> {
  const { read } = deps.db
  const { id: tenantId } = tenantOf(grant)
  const now = deps.clock.now()
  // What is asked of projects and versions is a part of the summaries.
  await summarizeStale(deps.db, tenantId)
  const [guides, evaluated] = await Promise.all([readGuides(read, tenantId), evaluatedDrafts(read, tenantId)])
  const drafts = await assessedDrafts(read, tenantId, evaluated.drafts, guides, now)
  const pending = drafts.filter((it) => it.isStale).length
  if (pending > 0 && deps.db.readOnly === null) await queueAssessments(deps, tenantId)
  const seesVersions = grant.permissions.has('versions:view')
  const isSample = inTenant(projects, tenantId, eq(projects.slug, sampleSlug))
  const [attention, activity, own, steps, count, samples] = await Promise.all([
    attentionOf({ read, grant, now, guides, drafts }, asked.only, asked.items),
    seesVersions ? recentActivity(read, tenantId) : [],
    ownOf(read, tenantId, personOf(grant)),
    firstSteps(read, tenantId, guides.assigned.size > 0),
    read.$count(projects, inTenant(projects, tenantId)),
    read.$count(projects, isSample),
  ])
  return {
    attention,
    pending,
    counted: { at: new Date(now).toISOString(), projects: count, unchecked: evaluated.unchecked },
    activity,
    ...own,
    steps,
    has_projects: count > 0,
    has_sample: samples > 0,
  }
}

/**
 * Adds the sample project: two published versions with a breaking change between them.
 * @throws SvcError `quota-exceeded` where the plan has no room, and what its imports refuse
 */
export async function addSample(deps: Identity, grant: Grant) {
  const id = await deps.provisionSample(tenantOf(grant).slug, personOf(grant))
  return { project_id: id, project_slug: sampleSlug }
}
