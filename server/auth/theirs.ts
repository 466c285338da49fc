/** Organizations whose Editors edit only what is theirs: why somebody is refused, and the check where no path names the project. */
import { eq } from 'drizzle-orm'
import { inTenant } from '../../db/conditions.ts'
import type { Reader } from '../../db/database.ts'
import { memberships, tenants } from '../../db/tables.gen.ts'
import { decideOnProject } from '../../src/api/project-access.ts'
import { SvcError } from '../../src/errors.ts'
import type { Principal } from './principal.ts'
import { editorsEditOwn, editorsOf, roleOnProject } from './project-roles.ts'

/**
 * Why an Editor is refused what is not theirs.
 * @param project an id or slug; null: what they asked for reaches further than one project
 */
export async function whyNotTheirs(read: Reader, tenantId: string, project: string | null): Promise<string> {
  const rule = 'Editors edit only their own projects here'
  if (project === null) return `${rule}, and this reaches further than one project`
  const editors = await editorsOf(read, tenantId, project)
  return editors.length === 0
    ? `${rule}, and only Owners and Admins edit "${project}"`
    : `${rule}, and "${project}" is edited by ${editors.join(', ')}`
}

/**
 * Asks again, where the work finds out which project it writes, whether the person who asked may write it. Keys are not limited to projects.
 * @throws SvcError `permission-denied` where Editors edit only what is theirs, and this is not
 */
export async function assertTheirs(
  read: Reader,
  tenantId: string,
  principal: Principal | null,
  project: { readonly id: string; readonly slug: string },
): Promise<void> {
  if (principal?.kind !== 'user') return
  const { userId } = principal
  const [standing] = await read
    .select({ role: memberships.role, settings: tenants.settings })
    .from(memberships)
    .innerJoin(tenants, eq(tenants.id, memberships.tenantId))
    .where(inTenant(memberships, tenantId, eq(memberships.userId, userId)))
  if (standing === undefined || !editorsEditOwn(standing.settings)) return
  const own = await roleOnProject(read, tenantId, userId, project.id)
  const permission = 'versions:edit'
  const asked = { role: standing.role, editorsEditOwn: true, way: 'project', permission } as const
  if (decideOnProject({ ...asked, projectRole: own?.role ?? null }).refused === null) return
  throw new SvcError('permission-denied', { permission, reason: await whyNotTheirs(read, tenantId, project.slug) })
}
