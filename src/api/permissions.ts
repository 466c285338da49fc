/**
 * Roles of a tenant, strongest first. An API key acts as `member`, with `keyPermissions`. A guest holds nothing in the organization: what
 * guests see and do are the projects that they have a role on.
 */
export const roles = ['owner', 'admin', 'editor', 'viewer', 'guest'] as const
export type Role = (typeof roles)[number]
/** Those that hold something in the whole organization. */
export const standingRoles = ['owner', 'admin', 'editor', 'viewer'] as const

/** Roles on one project, strongest first. */
export const projectRoles = ['owner', 'editor', 'viewer'] as const
export type ProjectRole = (typeof projectRoles)[number]

/** The values of an Owner in the database: the current one, and the one from before roles existed. */
export const ownerWords = ['owner', 'administrator'] as const

/** The role that a value in the database means: legacy administrators are Owners; an unknown value means Editor. */
export function effectiveRole(word: string): Role {
  if ((ownerWords as readonly string[]).includes(word)) return 'owner'
  return roles.find((role) => role === word) ?? 'editor'
}

const everyone: readonly Role[] = ['owner', 'admin', 'editor', 'viewer']
const editors: readonly Role[] = ['owner', 'admin', 'editor']
const admins: readonly Role[] = ['owner', 'admin']
const owners: readonly Role[] = ['owner']

/** Which built-in roles hold which permission. */
export const permissionGrid = {
  'projects:view': everyone,
  'versions:view': everyone,
  'consumer_contracts:view': everyone,
  'primitives:view': everyone,
  'style_guides:view': everyone,
  'comments:create': everyone,
  'projects:create': editors,
  'projects:edit': editors,
  'versions:edit': editors,
  'versions:publish': editors,
  'primitives:edit': editors,
  'consumer_contracts:create': editors,
  'consumer_contracts:edit': editors,
  'reviews:decide': editors,
  'repositories:edit': editors,
  'mcp:import': editors,
  'security:view': editors,
  'webhooks:view': editors,
  'projects:delete': admins,
  'consumer_contracts:delete': admins,
  'repositories:delete': admins,
  'versions:publish_force': admins,
  'style_guides:edit': admins,
  'webhooks:edit': admins,
  'security:edit': admins,
  'security:approve': admins,
  'security:export': admins,
  'mcp:govern': admins,
  'members:edit': admins,
  'projects:share': admins,
  'api_keys:view': admins,
  'api_keys:create': admins,
  'api_keys:edit': admins,
  'api_keys:delete': admins,
  'billing:view': admins,
  'tenant:delete': owners,
  'tenant:transfer': owners,
  'bin:delete': owners,
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof permissionGrid

/** Whether a role holds a permission. */
export const roleHolds = (role: Role, permission: Permission): boolean => permissionGrid[permission].includes(role)

/** Scopes an API key may carry. `*` must be the only one. Those of the catalog are sets of permissions (`catalogScopes`). */
export const keyScopes = ['*', 'diff:read', 'lint:read', 'catalog:read', 'catalog:import', 'catalog:publish'] as const
export type KeyScope = (typeof keyScopes)[number]
/** A scope of single operations, which name it. */
export type OperationScope = 'diff:read' | 'lint:read'
/** A scope that is a set of permissions. */
export type CatalogScope = 'catalog:read' | 'catalog:import' | 'catalog:publish'

/**
 * Permissions that only a person may use: approving and deciding, membership, ownership, and everything about keys,
 * whose holders could otherwise hand out more than they hold.
 */
export const personPermissions: ReadonlySet<Permission> = new Set<Permission>([
  'reviews:decide',
  'security:approve',
  'members:edit',
  'projects:share',
  'mcp:govern',
  'api_keys:view',
  'api_keys:create',
  'api_keys:edit',
  'api_keys:delete',
  'tenant:delete',
  'tenant:transfer',
  'bin:delete',
])

const all = Object.keys(permissionGrid) as Permission[]

/** What each role may do. */
export const rolePermissions: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  owner: new Set(all.filter((it) => roleHolds('owner', it))),
  admin: new Set(all.filter((it) => roleHolds('admin', it))),
  editor: new Set(all.filter((it) => roleHolds('editor', it))),
  viewer: new Set(all.filter((it) => roleHolds('viewer', it))),
  guest: new Set(),
}

const projectViewers = [
  'projects:view',
  'versions:view',
  'consumer_contracts:view',
  'style_guides:view',
  'comments:create',
] as const satisfies readonly Permission[]

const projectEditors = [
  ...projectViewers,
  'projects:edit',
  'versions:edit',
  'versions:publish',
  'consumer_contracts:create',
  'consumer_contracts:edit',
  'reviews:decide',
] as const satisfies readonly Permission[]

const projectOwners = [
  ...projectEditors,
  'consumer_contracts:delete',
  'versions:publish_force',
  'projects:share',
] as const satisfies readonly Permission[]

/** What a role on a project allows there. Deleting a project stays with those who may delete all. */
export const projectPermissions: Readonly<Record<ProjectRole, ReadonlySet<Permission>>> = {
  owner: new Set(projectOwners),
  editor: new Set(projectEditors),
  viewer: new Set(projectViewers),
}

/** The permissions of an API key with full access: all except those that require a person. */
export const keyPermissions: ReadonlySet<Permission> = new Set(all.filter((it) => !personPermissions.has(it)))

/** What agent keys, MCP keys and API keys with a narrow scope may do: read. */
export const readPermissions: ReadonlySet<Permission> = new Set<Permission>([
  'projects:view',
  'versions:view',
  'primitives:view',
  'style_guides:view',
])

const reading: readonly Permission[] = [
  'projects:view',
  'versions:view',
  'consumer_contracts:view',
  'primitives:view',
  'style_guides:view',
]
const importing: readonly Permission[] = [
  ...reading,
  'projects:create',
  'projects:edit',
  'versions:edit',
  'consumer_contracts:create',
  'consumer_contracts:edit',
  'mcp:import',
]

/** What pipelines do with the catalog: each scope includes the one before it. */
export const catalogScopes: Readonly<Record<CatalogScope, ReadonlySet<Permission>>> = {
  'catalog:read': new Set(reading),
  'catalog:import': new Set(importing),
  'catalog:publish': new Set([...importing, 'versions:publish']),
}

const isCatalogScope = (scope: string): scope is CatalogScope => scope in catalogScopes

/** The permissions of the catalog scopes among the scopes of a key; empty without any. */
export const catalogPermissions = (scopes: readonly string[]): ReadonlySet<Permission> =>
  new Set(scopes.filter(isCatalogScope).flatMap((scope) => [...catalogScopes[scope]]))

/**
 * Whether scopes of the catalog reach an operation: one that needs a permission of theirs, or none at all. One that changes
 * something with no more than a permission to read (`writes`) is left to scopes that write.
 */
export function catalogReaches(
  scopes: readonly string[],
  rule: { readonly permission: Permission | null; readonly writes?: true },
): boolean {
  const permissions = catalogPermissions(scopes)
  if (permissions.size === 0 || (rule.writes === true && !permissions.has('versions:edit'))) return false
  return rule.permission === null || permissions.has(rule.permission)
}
