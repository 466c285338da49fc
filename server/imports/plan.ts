import { eq, or } from 'drizzle-orm'
import { SvcError } from '../../src/errors.ts'
import { slugify, slugifyVersion } from '../../src/import/slug.ts'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { projects, versions } from '../../db/tables.gen.ts'
import type { GrantedTenant } from '../auth/door.ts'
import { findProject, type ProjectRow, type VersionRow } from '../records/door.ts'
import { contentOf, type DocumentSummary, type ImportTarget, type Planned } from './import-target.ts'
import { planJoin } from './plan-join.ts'

async function targetProject(
  read: Reader,
  tenant: GrantedTenant,
  request: ImportTarget,
  slug: string,
): Promise<ProjectRow | null> {
  if (request.project_id !== undefined) return findProject(read, tenant.id, request.project_id)
  if (request.isNew === true) return null
  const row = await projectOfSlug(read, tenant, slug)
  if (row === null && request.mustExist === true) throw new SvcError('project-not-found', { project: slug })
  return row
}

async function projectOfSlug(read: Reader, tenant: GrantedTenant, slug: string): Promise<ProjectRow | null> {
  const [row] = await read
    .select()
    .from(projects)
    .where(inTenant(projects, tenant.id, eq(projects.slug, slug)))
    .limit(1)
  return row ?? null
}

async function freeSlug(read: Reader, tenant: GrantedTenant, slug: string): Promise<string> {
  let free = slug
  for (let count = 2; (await projectOfSlug(read, tenant, free)) !== null; count++)
    free = `${slug.slice(0, 90)}-${count}`
  return free
}

/**
 * Plans an import: the project is the named one, else the one whose slug is that of the project's name; the version is
 * the label of the document unless another is given. Equal bytes under the same label are kept, a draft with other
 * bytes is updated.
 * @throws SvcError `project-not-found`, `version-published`, and `version-label-taken` for a draft of another kind
 */
export async function planImport(
  read: Reader,
  tenant: GrantedTenant,
  request: ImportTarget,
  summary: DocumentSummary,
  digest: string,
): Promise<Planned> {
  const { version_id } = request
  if (version_id !== undefined) return planJoin(read, tenant, { ...request, version_id }, summary, digest)
  const name = request.project_name ?? summary.name
  const wanted = request.project_slug ?? slugify(name)
  const slug = request.isNew === true ? await freeSlug(read, tenant, wanted) : wanted
  const project = await targetProject(read, tenant, request, slug)
  const label = request.version ?? summary.version
  const versionSlug = request.version_slug ?? slugifyVersion(label)
  const version = project === null ? null : await existingVersion(read, tenant, project.id, label, versionSlug)
  const same = version?.digest === digest
  if (version && !same && version.status !== 'draft')
    throw new SvcError('version-published', { version: version.label })
  // A workflow document under the label of an API would take the API's place: that is never what was meant.
  if (version && project && !same && version.format.kind !== summary.kind)
    throw new SvcError('version-label-taken', { version: version.label, project: project.slug })
  const publish = request.publish ?? null
  const known = same ? 'keep' : 'update'
  return {
    project,
    version,
    plan: {
      project: { action: project ? 'keep' : 'create', slug: project?.slug ?? slug, name: project?.name ?? name },
      version: {
        action: version === null ? 'create' : known,
        label: version?.label ?? label,
        slug: version?.slug ?? versionSlug,
      },
      publish: version && version.status !== 'draft' ? null : publish,
      operations: summary.operations,
      classes: summary.classes,
      ...(version === null || same ? {} : { replaces: contentOf(version) }),
    },
  }
}

async function existingVersion(
  read: Reader,
  tenant: GrantedTenant,
  projectId: string,
  label: string,
  slug: string,
): Promise<VersionRow | null> {
  const named = or(eq(versions.label, label), eq(versions.slug, slug))
  const [row] = await read
    .select()
    .from(versions)
    .where(inTenant(versions, tenant.id, eq(versions.projectId, projectId), named))
    .limit(1)
  return row ?? null
}
