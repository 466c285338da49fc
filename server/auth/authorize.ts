import { and, eq, type SQL } from 'drizzle-orm'
import { isThere } from '../../db/conditions.ts'
import type { Database } from '../../db/database.ts'
import { licenses, memberships, tenants } from '../../db/tables.gen.ts'
import type { Access } from '../../src/api/endpoint.ts'
import {
  catalogPermissions,
  catalogReaches,
  keyPermissions,
  type Permission,
  readPermissions,
  projectPermissions,
  type Role,
  rolePermissions,
} from '../../src/api/permissions.ts'
import { decideOnProject } from '../../src/api/project-access.ts'
import { SvcError } from '../../src/errors.ts'
import { assertBrowser, personOf } from './caller.ts'
import type { Grant, GrantedTenant, Whereabouts } from './grant.ts'
import { assertOperator } from './operator.ts'
import type { Principal } from './principal.ts'
import { editorsEditOwn, grantedProjects, oneProject, roleOnProject, type RoleOnProject } from './project-roles.ts'
import { lacksSecondFactor, requiresSecondFactor } from './second-factor.ts'
import { whyNotTheirs } from './theirs.ts'

type Rule = Exclude<Access, { readonly anonymous: true }>

interface Standing {
  readonly tenant: GrantedTenant
  readonly role: Role | null
  readonly status: 'pending' | 'active' | 'suspended' | null
  /** Whether the organization requires a second factor of its members. */
  readonly requires: boolean
  /** Whether its Editors edit only the projects that are theirs. */
  readonly editorsEditOwn: boolean
}

const nothing: ReadonlySet<Permission> = new Set()

const columns = {
  id: tenants.id,
  slug: tenants.slug,
  name: tenants.name,
  plan: licenses.plan,
  settings: tenants.settings,
  role: memberships.role,
  status: memberships.status,
}

/** The tenants that match, with the membership of a user in each; null without a user. */
async function standings(db: Database, userId: string | null, condition: SQL): Promise<Standing[]> {
  const rows = await db.read
    .select(columns)
    .from(tenants)
    .leftJoin(licenses, eq(licenses.tenantId, tenants.id))
    .leftJoin(memberships, and(eq(memberships.tenantId, tenants.id), eq(memberships.userId, userId ?? '')))
    .where(and(condition, isThere(tenants.id)))
  return rows.map(({ role, status, settings, ...tenant }) => {
    const requires = requiresSecondFactor(settings)
    return { tenant, role, status, requires, editorsEditOwn: editorsEditOwn(settings) }
  })
}

function permissionsOfKey(principal: Exclude<Principal, { kind: 'user' }>, rule: Rule | null): ReadonlySet<Permission> {
  if (principal.kind === 'gateway-key') return nothing
  if (principal.kind !== 'api-key') {
    // A tool brings what its operation needs, and only on that operation.
    const { agentTool, permission } = rule ?? { permission: null }
    return agentTool === undefined || permission === null ? readPermissions : new Set([...readPermissions, permission])
  }
  if (principal.scopes.includes('*')) return keyPermissions
  // A narrow scope brings what its operations need, and only on those operations.
  const catalog = catalogPermissions(principal.scopes)
  if (rule?.keyScope === undefined || !principal.scopes.includes(rule.keyScope)) return catalog
  return new Set([...catalog, ...readPermissions, ...(rule.permission === null ? [] : [rule.permission])])
}

/** @throws SvcError `person-required`, `scope-denied`, `capability_disabled` when credentials of this kind or scope never reach the operation */
function assertKind(principal: Principal, rule: Rule): void {
  if (principal.kind === 'agent-key' && rule.agentTool !== undefined) {
    if (!principal.tools.includes(rule.agentTool)) throw new SvcError('capability_disabled', { tool: rule.agentTool })
    return
  }
  if (!rule.credentials.includes(principal.kind)) {
    if (rule.credentials.length === 1 && rule.credentials[0] === 'user') throw new SvcError('person-required')
    const scopes = principal.kind === 'api-key' ? principal.scopes : [principal.kind]
    throw new SvcError('scope-denied', { scopes })
  }
  if (principal.kind !== 'api-key' || principal.scopes.includes('*')) return
  const isNamed = rule.keyScope !== undefined && principal.scopes.includes(rule.keyScope)
  if (!isNamed && !catalogReaches(principal.scopes, rule))
    throw new SvcError('scope-denied', { scopes: principal.scopes })
}

function assertPermission(grant: Grant, permission: Permission | null): Grant {
  if (permission !== null && !grant.permissions.has(permission)) throw new SvcError('permission-denied', { permission })
  return grant
}

type Person = Extract<Principal, { kind: 'user' }>

/** Whether an organization keeps a person out until they have a second factor; the owner of the machine has the database anyway. */
const isClosedTo = async (db: Database, { userId, via }: Person, { requires }: Standing): Promise<boolean> =>
  requires && via !== 'local' && (await lacksSecondFactor(db.read, userId))

/** The role of a person on the project of the path, where it can matter for what they ask. */
async function ownRoleAt(
  db: Database,
  { userId }: Person,
  standing: Standing & { readonly role: Role },
  { way, project }: Whereabouts,
): Promise<RoleOnProject | null> {
  const { role, tenant } = standing
  if (way !== 'project' || project === null || projectPermissions.owner.isSubsetOf(rolePermissions[role])) return null
  return roleOnProject(db.read, tenant.id, userId, project)
}

/** Why a person is refused, where it is because Editors edit only what is theirs; empty: it is not. */
const whyRefused = async (
  db: Database,
  { tenant, role, editorsEditOwn: isLimited }: Standing & { readonly role: Role },
  permission: Permission,
  { way, project }: Whereabouts,
): Promise<{ readonly reason?: string }> =>
  isLimited && role === 'editor' && rolePermissions.editor.has(permission)
    ? { reason: await whyNotTheirs(db.read, tenant.id, way === 'project' ? project : null) }
    : {}

/** What a person may do in a tenant and on the project of the path, and how much of the tenant they see by it. */
async function decideFor(
  db: Database,
  principal: Person,
  standing: Standing & { readonly role: Role },
  { access, place }: Question,
): Promise<{ readonly grant: Grant; readonly refused: SvcError | null }> {
  const { tenant, role, editorsEditOwn: isLimited } = standing
  const permission = access.anonymous === true ? 'versions:view' : access.permission
  const own = await ownRoleAt(db, principal, standing, place)
  const { permissions, sees, refused } = decideOnProject({
    role,
    editorsEditOwn: isLimited,
    way: place.way,
    projectRole: own?.role ?? null,
    permission,
  })
  const seen = {
    organization: {},
    granted: { projects: grantedProjects(tenant.id, principal.userId) },
    project: { projects: oneProject(own?.id ?? '') },
  }[sees]
  const wanted = permission ?? 'projects:view'
  const why = {
    'permission-denied': async () =>
      new SvcError('permission-denied', {
        permission: wanted,
        ...(await whyRefused(db, standing, wanted, place)),
      }),
    'project-not-found': async () => new SvcError('project-not-found', { project: place.project ?? '' }),
  }
  return { grant: { principal, tenant, role, permissions, ...seen }, refused: refused && (await why[refused]()) }
}

/** What is asked for, and where. */
interface Question {
  readonly access: Access
  readonly place: Whereabouts
}

/** The membership of a person in a tenant, as a grant. */
async function grantOfUser(db: Database, principal: Person, standing: Standing, question: Question): Promise<Grant> {
  const { tenant, role, status } = standing
  if (status === 'suspended') throw new SvcError('membership-suspended')
  if (status !== 'active' || role === null) throw new SvcError('tenant-access-denied', { tenant: tenant.slug })
  if (await isClosedTo(db, principal, standing))
    throw new SvcError('second-factor-setup-required', { tenant: tenant.name })
  const { grant, refused } = await decideFor(db, principal, { ...standing, role }, question)
  if (refused !== null) throw refused
  return grant
}

/** What anyone may know where no credentials are needed; what is refused elsewhere is here an empty set. */
async function grantAnonymous(db: Database, principal: Principal | null, question: Question): Promise<Grant> {
  const { tenant: slug } = question.place
  const userId = principal?.kind === 'user' ? principal.userId : null
  const [standing] = slug === null ? [] : await standings(db, userId, eq(tenants.slug, slug))
  if (standing === undefined) return { principal, tenant: null, role: null, permissions: nothing }
  const { tenant, role, status } = standing
  if (principal !== null && principal.kind !== 'user') {
    const own = principal.tenantId === tenant.id
    return { principal, tenant, role: null, permissions: own ? permissionsOfKey(principal, null) : nothing }
  }
  const isOpen = status === 'active' && principal !== null && !(await isClosedTo(db, principal, standing))
  const unknown = { principal, tenant, role: null, permissions: nothing }
  if (role === null || !isOpen || principal.kind !== 'user') return unknown
  const { grant, refused } = await decideFor(db, principal, { ...standing, role }, question)
  return refused === null ? grant : unknown
}

async function grantKey(
  db: Database,
  principal: Exclude<Principal, { kind: 'user' }>,
  rule: Rule,
  slug: string | null,
): Promise<Grant> {
  const [standing] = await standings(
    db,
    null,
    slug === null ? eq(tenants.id, principal.tenantId) : eq(tenants.slug, slug),
  )
  if (standing === undefined) throw new SvcError('tenant-not-found', { tenant: slug ?? principal.tenantId })
  const { tenant } = standing
  if (tenant.id !== principal.tenantId) throw new SvcError('tenant-access-denied', { tenant: tenant.slug })
  return { principal, tenant, role: null, permissions: permissionsOfKey(principal, rule) }
}

/** The one tenant of a person who is active in exactly one: what a path without tenant then speaks of. */
async function onlyTenant(db: Database, userId: string): Promise<Standing | null> {
  const rows = await standings(db, userId, and(eq(memberships.userId, userId), eq(memberships.status, 'active')) as SQL)
  return rows.length === 1 ? (rows[0] ?? null) : null
}

/**
 * The grant of a caller on a path whose tenant is decorative: the tenant of a key; of a person the one that the path names, if they
 * are a member of it, otherwise their only one.
 */
async function grantByCredential(db: Database, principal: Principal, rule: Rule, place: Whereabouts): Promise<Grant> {
  const slug = place.tenant
  const question = { access: rule, place }
  if (principal.kind !== 'user') return grantKey(db, principal, rule, null)
  const [named] = slug === null ? [] : await standings(db, principal.userId, eq(tenants.slug, slug))
  const isMember = named?.status === 'active' || named?.status === 'suspended'
  if (named !== undefined && isMember) return grantOfUser(db, principal, named, question)
  const mine = await standings(db, principal.userId, eq(memberships.userId, principal.userId))
  const active = mine.filter(({ status }) => status === 'active')
  const [only] = active.length > 0 ? active : mine.filter(({ status }) => status === 'suspended')
  if (active.length > 1 && slug === null) throw new SvcError('tenant-unnamed', { count: active.length })
  if (only === undefined || active.length > 1) throw new SvcError('tenant-access-denied', { tenant: slug ?? '' })
  return grantOfUser(db, principal, only, question)
}

/**
 * Decides what a caller may do in the tenant of the path, from what the database says now.
 * - A path without tenant: the tenant of a key is its own; a person has one only when active in exactly one.
 * - A decorative tenant (`tenancy: 'credential'`) is ignored unless a person is a member of it.
 * - The key of a gateway reaches the operations that name its kind, and none that merely looks at credentials.
 * - Where the rule says `from`, the person is in a browser, or is the operator in one.
 * - Where the path names a project, a role on that project counts too (`decideOnProject`); the request then sees that project alone.
 * - Where no credentials are needed the tenant is filled in when it exists, with the permissions the caller has there.
 * @throws SvcError `credentials-missing`, `person-required`, `scope-denied`, `tenant-not-found`,
 *   `tenant-access-denied`, `tenant-unnamed`, `membership-suspended`,
 *   `second-factor-setup-required`, `permission-denied`, `project-not-found`, `browser-session-required`,
 *   `operator-required`
 */
export async function authorize(
  db: Database,
  principal: Principal | null,
  access: Access,
  place: Whereabouts,
): Promise<Grant> {
  const grant = await authorizeInTenant(db, principal, access, place)
  if (access.anonymous === true || access.from === undefined) return grant
  assertBrowser(grant)
  if (access.from === 'operator') await assertOperator(db.read, personOf(grant))
  return grant
}

async function authorizeInTenant(
  db: Database,
  principal: Principal | null,
  access: Access,
  place: Whereabouts,
): Promise<Grant> {
  const slug = place.tenant
  const question = { access, place }
  if (access.anonymous === true) {
    if (principal?.kind === 'gateway-key') throw new SvcError('scope-denied', { scopes: [principal.kind] })
    return grantAnonymous(db, principal, question)
  }
  if (principal === null) throw new SvcError('credentials-missing')
  assertKind(principal, access)
  if (access.tenancy === 'credential')
    return assertPermission(await grantByCredential(db, principal, access, place), access.permission)
  if (principal.kind !== 'user') return assertPermission(await grantKey(db, principal, access, slug), access.permission)
  if (slug === null) {
    const standing = access.permission === null ? null : await onlyTenant(db, principal.userId)
    const grant: Grant =
      standing === null
        ? { principal, tenant: null, role: null, permissions: nothing }
        : await grantOfUser(db, principal, standing, question)
    return assertPermission(grant, access.permission)
  }
  const [standing] = await standings(db, principal.userId, eq(tenants.slug, slug))
  if (standing === undefined) throw new SvcError('tenant-not-found', { tenant: slug })
  return grantOfUser(db, principal, standing, question)
}
