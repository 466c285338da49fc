import { eq } from 'drizzle-orm'
import { SvcError } from '../../src/errors.ts'
import type { JoinedDocument } from '../../src/api/version-shapes.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { projects, versions } from '../../db/tables.gen.ts'
import type { GrantedTenant } from '../auth/door.ts'
import type { ProjectRow, VersionRow } from '../records/door.ts'
import { contentOf, type DocumentSummary, type ImportTarget, type Planned } from './import-target.ts'
import { joinKey } from './write-join.ts'

type JoinTarget = ImportTarget & { readonly version_id: string }

async function joinedVersion(
  read: Reader,
  tenant: GrantedTenant,
  { version_id: id, project_id: projectRef }: JoinTarget,
): Promise<{ readonly project: ProjectRow; readonly version: VersionRow }> {
  const [found] = await read
    .select({ project: projects, version: versions })
    .from(versions)
    .innerJoin(projects, inTenant(projects, versions.tenantId, eq(projects.id, versions.projectId)))
    .where(inTenant(versions, tenant.id, eq(versions.id, id)))
    .limit(1)
  if (!found || (projectRef !== undefined && found.project.id !== projectRef && found.project.slug !== projectRef))
    throw new SvcError('version-not-found', { version: id, project: projectRef ?? 'this organization' })
  return found
}

const joining: ReadonlySet<string> = new Set(['arazzo', 'json-schema'])

/**
 * Plans how a document joins a version: workflows beside an API, schemas as classes of it. A document of the version's own kind takes
 * the place of its content, as long as it is a draft; a schema always joins.
 * @throws SvcError `version-not-found`, `version-published`, `version-label-taken` for what can be beside nothing,
 *   `class-taken`
 */
export async function planJoin(
  read: Reader,
  tenant: GrantedTenant,
  request: JoinTarget,
  summary: DocumentSummary,
  digest: string,
): Promise<Planned> {
  const { project, version } = await joinedVersion(read, tenant, request)
  const isOwn = version.format.kind === summary.kind && (summary.kind !== 'json-schema' || version.digest === digest)
  if (!isOwn && !joining.has(summary.kind))
    throw new SvcError('version-label-taken', { version: version.label, project: project.slug })
  const before = isOwn ? undefined : (version.joined ?? []).find((one) => joinKey(one) === joinKey(summary))
  const same = isOwn ? version.digest === digest : before?.provenance.digest === digest
  if (!same && version.status !== 'draft') throw new SvcError('version-published', { version: version.label })
  const classes = summary.kind === 'arazzo' ? [] : [...summary.classNames]
  if (!same) assertFree(version, before, classes)
  const changed = before === undefined ? ('create' as const) : ('update' as const)
  const joined = {
    action: same ? ('keep' as const) : changed,
    kind: summary.kind,
    name: summary.name,
    classes,
  }
  return {
    project,
    version,
    plan: {
      project: { action: 'keep', slug: project.slug, name: project.name },
      version: { action: same ? 'keep' : 'update', label: version.label, slug: version.slug },
      publish: version.status === 'draft' ? (request.publish ?? null) : null,
      operations: summary.operations,
      classes: summary.classes,
      ...(isOwn && !same ? { replaces: contentOf(version) } : {}),
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
