/** What someone may do by their role in an organization and their role on a project: the one place that decides it. */
import type { Access, Endpoint } from './endpoint.ts'
import { type Permission, type ProjectRole, projectPermissions, type Role, rolePermissions } from './permissions.ts'

/**
 * How an operation says which projects it is about: `project`, that of its path; `listed`, all that the caller sees; `closed`, it does not
 * say, so that it is for those who see the whole organization.
 */
export type ProjectWay = 'project' | 'listed' | 'closed'

const namesOfProjects = ['project_ref', 'project_id', 'project_slug'] as const

/** The project that the path of a request names, as an id or a slug; null where it names none. */
export function projectIn(params: Readonly<Record<string, string>>): string | null {
  const name = namesOfProjects.find((it) => params[it] !== undefined)
  return name === undefined ? null : (params[name] ?? null)
}

/** How an operation says which projects it is about. */
export function projectWayOf({ access, path }: Pick<Endpoint, 'access' | 'path'>): ProjectWay {
  if (access.anonymous !== true && access.guests !== undefined) return access.guests
  return namesOfProjects.some((it) => path.includes(`{${it}}`)) ? 'project' : 'closed'
}

/** What Editors keep on projects that are not theirs, where they edit only those: they create projects, and answer the reviews that are asked of them. */
const keptByEditors = ['projects:create', 'reviews:decide'] as const satisfies readonly Permission[]
const editorsElsewhere: ReadonlySet<Permission> = new Set([...rolePermissions.viewer, ...keptByEditors])

/**
 * What a role allows in the whole organization.
 * @param editorsEditOwn whether the organization lets its Editors edit only the projects that are theirs
 */
export const heldInOrganization = (role: Role, editorsEditOwn: boolean): ReadonlySet<Permission> =>
  editorsEditOwn && role === 'editor' ? editorsElsewhere : rolePermissions[role]

/** Who asks for what. */
export interface ProjectQuestion {
  /** In the organization. */
  readonly role: Role
  /** Whether the organization lets its Editors edit only the projects on which they have the role Editor or Owner. */
  readonly editorsEditOwn: boolean
  readonly way: ProjectWay
  /** The strongest role on the project of the path, of the person or a team of theirs; null: none, or there is no such project. */
  readonly projectRole: ProjectRole | null
  /** What the operation needs; null: nothing. */
  readonly permission: Permission | null
}

/** What of an organization a request sees: everything, the project of its path, or every project that the caller has a role on. */
export type Sight = 'organization' | 'project' | 'granted'

/** What someone may do; `refused` says why they may not do what they asked for. */
export interface ProjectDecision {
  readonly permissions: ReadonlySet<Permission>
  readonly sees: Sight
  readonly refused: 'permission-denied' | 'project-not-found' | null
}

const nothing: ReadonlySet<Permission> = new Set()

const decided = (
  permissions: ReadonlySet<Permission>,
  sees: Sight,
  permission: Permission | null,
): ProjectDecision => ({
  permissions,
  sees,
  refused: permission === null || permissions.has(permission) ? null : 'permission-denied',
})

function decideForGuest({ way, projectRole, permission }: ProjectQuestion): ProjectDecision {
  if (way === 'listed') return decided(projectPermissions.viewer, 'granted', permission)
  if (way === 'closed') return { permissions: nothing, sees: 'granted', refused: 'permission-denied' }
  // What no role on a project brings is refused alike, whether or not there is the project.
  if (permission !== null && !projectPermissions.owner.has(permission)) return decided(nothing, 'project', permission)
  if (projectRole === null) return { permissions: nothing, sees: 'project', refused: 'project-not-found' }
  return decided(projectPermissions[projectRole], 'project', permission)
}

const isView = (permission: Permission | null): boolean => permission === null || permission.endsWith(':view')

/**
 * What someone may do: what their role in the organization allows, and on the project of the path what their role there allows too. Where
 * the role on the project adds something, the request sees that project alone, so that it adds nothing elsewhere.
 */
export function decideOnProject(question: ProjectQuestion): ProjectDecision {
  const { role, editorsEditOwn, way, projectRole, permission } = question
  if (role === 'guest') return decideForGuest(question)
  const whole = heldInOrganization(role, editorsEditOwn)
  const own = way === 'project' && projectRole !== null ? projectPermissions[projectRole] : nothing
  const sufficient = isView(permission) && (permission === null || whole.has(permission))
  if (sufficient || own.isSubsetOf(whole)) return decided(whole, 'organization', permission)
  return decided(whole.union(own), 'project', permission)
}

/** Whether a rule of an operation is one of organizations: its path names one, or the credentials do. */
export const isOfTenant = (access: Access, path: string): boolean =>
  path.includes('{tenant_slug}') || (access.anonymous !== true && access.tenancy === 'credential')
