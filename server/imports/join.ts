import { and, eq } from 'drizzle-orm'
import { SvcError } from '../../src/errors.ts'
import { slugify } from '../../src/import/slug.ts'
import type { JoinedDocument } from '../../src/api/versions.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader, Transaction } from '../../db/database.ts'
import { projects, versions } from '../../db/tables.gen.ts'
import type { GrantedTenant } from '../auth/grant.ts'
import type { ProjectRow } from '../projects/service.ts'
import type { VersionRow } from '../versions/record.ts'
import type { Described, Planned, Wishes } from './plan.ts'

/** What a joined document is known by: a version has one set of workflows, and schemas by their names. */
export const joinKey = ({ kind, name }: { readonly kind: string; readonly name: string }): string =>
  kind === 'arazzo' ? kind : `${kind} ${slugify(name)}`

type JoinWishes = Wishes & { readonly version_id: string }

async function joinedVersion(
  read: Reader,
  tenant: GrantedTenant,
  { version_id: id, project_id: projectRef }: JoinWishes,
): Promise<{ readonly project: ProjectRow; readonly version: VersionRow }> {
  const [found] = await read
    .select({ project: projects, version: versions })
    .from(versions)
    .innerJoin(projects, and(eq(projects.id, versions.projectId), eq(projects.tenantId, versions.tenantId)))
    .where(inTenant(versions, tenant.id, eq(versions.id, id)))
    .limit(1)
  if (!found || (projectRef !== undefined && found.project.id !== projectRef && found.project.slug !== projectRef))
    throw new SvcError('version-not-found', { version: id, project: projectRef ?? 'this tenant' })
  return found
}

const joining: ReadonlySet<string> = new Set(['arazzo', 'json-schema'])

/**
 * Plans how a document joins a version: workflows beside an API, schemas as classes of it. A document of the version's own kind takes
 * the place of its content, as long as it is a draft; a schema always joins.
 * Raises `version-not-found`, `version-published`, `version-label-taken` for what can stand beside nothing, `class-taken`.
 */
export async function planJoin(
  read: Reader,
  tenant: GrantedTenant,
  request: JoinWishes,
  described: Described,
  digest: string,
): Promise<Planned> {
  const { project, version } = await joinedVersion(read, tenant, request)
  const isOwn =
    version.format.kind === described.kind && (described.kind !== 'json-schema' || version.digest === digest)
  if (!isOwn && !joining.has(described.kind))
    throw new SvcError('version-label-taken', { version: version.label, project: project.slug })
  const before = isOwn ? undefined : (version.joined ?? []).find((one) => joinKey(one) === joinKey(described))
  const same = isOwn ? version.digest === digest : before?.provenance.digest === digest
  if (!same && version.status !== 'draft') throw new SvcError('version-published', { version: version.label })
  const classes = described.kind === 'arazzo' ? [] : [...described.classNames]
  if (!same) assertFree(version, before, classes)
  const joined = {
    action: same ? ('keep' as const) : before === undefined ? ('create' as const) : ('update' as const),
    kind: described.kind,
    name: described.name,
    classes,
  }
  return {
    project,
    version,
    plan: {
      project: { action: 'keep', slug: project.slug, name: project.name },
      version: { action: same ? 'keep' : 'update', label: version.label, slug: version.slug },
      publish: version.status === 'draft' ? (request.publish ?? null) : null,
      operations: described.operations,
      classes: described.classes,
      ...(isOwn ? {} : { joined }),
    },
  }
}

// Classes of two joined documents never hide each other.
function assertFree(version: VersionRow, before: JoinedDocument | undefined, classes: readonly string[]): void {
  for (const other of version.joined ?? []) {
    const taken = other === before ? undefined : classes.find((name) => other.classes.includes(name))
    if (taken !== undefined) throw new SvcError('class-taken', { class_name: taken, version: version.label })
  }
}

/** Writes a joined document into the row of its draft; its content is stored already. */
export async function writeJoined(
  tx: Transaction,
  tenantId: string,
  version: VersionRow,
  document: JoinedDocument,
  at: string,
): Promise<VersionRow> {
  const others = (version.joined ?? []).filter((one) => joinKey(one) !== joinKey(document))
  const joined = [...others, document].sort((a, b) => (joinKey(a) < joinKey(b) ? -1 : 1))
  const count = (list: readonly JoinedDocument[]): number => list.flatMap((one) => one.classes).length
  const classesCount = version.classesCount - count(version.joined ?? []) + count(joined)
  const draft = inTenant(versions, tenantId, eq(versions.id, version.id), eq(versions.status, 'draft'))
  const [row] = await tx.update(versions).set({ joined, classesCount, updatedAt: at }).where(draft).returning()
  if (!row) throw new Error(`the draft ${version.label} was not written`)
  return row
}
