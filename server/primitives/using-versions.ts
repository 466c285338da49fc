import { and, desc, eq, inArray, isNull } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { projects, versions, versionTypes } from '../../db/tables.gen.ts'
import { typeScheme } from '../../src/kernel/type-ref.ts'
import type { VersionRow } from '../records/door.ts'
import { areRefsKnown, basesOfTenant, inParts, readKey, refsOfVersion, type TypeDeps } from '../used-types/door.ts'

/** So many drafts are looked at, the newest first. */
const mostDrafts = 5000

/** A version that uses a type. */
export interface UsingVersion {
  readonly project: string
  readonly version: VersionRow
}

interface Drafts {
  readonly drafts: readonly UsingVersion[]
  /** Whether there are more than are looked at. */
  readonly isCut: boolean
}

/** The drafts of a tenant, the last changed first. */
export async function draftsOf(read: Reader, tenantId: string): Promise<Drafts> {
  const rows = await read
    .select({ version: versions, project: projects.slug })
    .from(versions)
    .innerJoin(projects, and(eq(projects.id, versions.projectId), inTenant(projects, tenantId)))
    .where(inTenant(versions, tenantId, eq(versions.status, 'draft')))
    .orderBy(desc(versions.updatedAt), desc(versions.id))
    .limit(mostDrafts + 1)
  return { drafts: rows.slice(0, mostDrafts), isCut: rows.length > mostDrafts }
}

/** How many of the drafts must be read to know what they refer to. */
export const countUnread = (deps: TypeDeps, { drafts }: Drafts): number =>
  drafts.filter(({ version }) => !areRefsKnown(deps.analysis, version)).length

/**
 * The drafts that refer to one of some types.
 * @param keys what the registry knows the types by: references and `$id`s
 */
export async function draftsUsing(
  deps: TypeDeps,
  read: Reader,
  tenantId: string,
  keys: ReadonlySet<string>,
  { drafts }: Drafts,
): Promise<UsingVersion[]> {
  const bases = await basesOfTenant(deps, read, tenantId)
  const found: UsingVersion[] = []
  for (const draft of drafts) {
    const refs = await refsOfVersion(deps.analysis, draft.version)
    if (refs.some((ref) => keys.has(readKey(ref, bases).key))) found.push(draft)
  }
  return found
}

/**
 * The published versions that keep a type, themselves or through other types.
 * @param id of its row, or the reference of a type that comes with svc
 */
export async function publishedUsing(read: Reader, tenantId: string, id: string): Promise<UsingVersion[]> {
  const isIt = id.startsWith(typeScheme)
    ? and(isNull(versionTypes.primitiveId), eq(versionTypes.ref, id))
    : eq(versionTypes.primitiveId, id)
  const ids = await read
    .selectDistinct({ id: versionTypes.versionId })
    .from(versionTypes)
    .where(inTenant(versionTypes, tenantId, isIt))
  const found: UsingVersion[] = []
  for (const part of inParts(ids.map(({ id }) => id)))
    found.push(
      ...(await read
        .select({ version: versions, project: projects.slug })
        .from(versions)
        .innerJoin(projects, and(eq(projects.id, versions.projectId), inTenant(projects, tenantId)))
        .where(inTenant(versions, tenantId, inArray(versions.id, [...part])))
        .orderBy(projects.slug, versions.label)),
    )
  return found
}
