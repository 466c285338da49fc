import { and, eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { projects, tenants, versionEditors, versions } from '../../db/tables.gen.ts'
import type { Deps } from '../deps.ts'
import type { OutboxEvent } from '../outbox/events.ts'
import { personIn, sendNotifications } from './send.ts'

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
    .innerJoin(projects, and(eq(projects.id, versions.projectId), eq(projects.tenantId, tenantId)))
    .innerJoin(tenants, eq(tenants.id, versions.tenantId))
    .where(inTenant(versions, tenantId, eq(versions.id, versionId)))
  if (row === undefined) return null
  const place = [row.tenant, row.project, row.slug].map(encodeURIComponent).join('/')
  return {
    name: `${row.title} ${row.label}`,
    url: `${deps.publicUrl()}/app/t/${place}`,
    createdBy: row.createdBy,
  }
}

/** The people who made, edited, reviewed or commented a version. */
async function collaboratorsOf(read: Reader, tenantId: string, versionId: string): Promise<readonly string[]> {
  const editors = await read
    .select({ actor: versionEditors.actor })
    .from(versionEditors)
    .where(inTenant(versionEditors, tenantId, eq(versionEditors.versionId, versionId)))
  return editors.flatMap(({ actor }) => personIn(actor) ?? [])
}

/** Writes the notifications of an event. What was deleted since is not reported. */
export async function notifyOf(deps: Deps, tx: Transaction, event: OutboxEvent): Promise<void> {
  const { tenantId, payload } = event
  const subject = await subjectOf(deps, tx, tenantId, payload.version_id)
  if (subject === null) return
  const about = { actor: payload.published_by, projectId: payload.project_id, versionId: payload.version_id }
  const creator = personIn(subject.createdBy)
  const people = await collaboratorsOf(tx, tenantId, payload.version_id)
  await sendNotifications(tx, event, about, [
    {
      type: 'version_published',
      people: creator === null ? people : [creator, ...people],
      payload: { title: `${subject.name} was published`, url: subject.url },
    },
  ])
}
