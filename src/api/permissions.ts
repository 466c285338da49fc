/** Roles of a tenant, strongest first. An API key acts as `member`, with `keyPermissions`. */
export const roles = ['owner', 'admin', 'editor', 'viewer'] as const
export type Role = (typeof roles)[number]

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
  'api_keys:view': admins,
  'api_keys:create': admins,
  'api_keys:edit': admins,
  'api_keys:delete': admins,
  'billing:view': admins,
  'tenant:delete': owners,
  'tenant:transfer': owners,
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof permissionGrid

/** Whether a role holds a permission. */
export const roleHolds = (role: Role, permission: Permission): boolean => permissionGrid[permission].includes(role)

/** Scopes an API key may carry. `*` must be the only one. */
export const keyScopes = ['*', 'diff:read', 'lint:read'] as const
export type KeyScope = (typeof keyScopes)[number]

/**
 * Permissions that only a person may use: approving and deciding, membership, ownership, and everything about keys,
 * whose holders could otherwise hand out more than they hold.
 */
export const personPermissions: ReadonlySet<Permission> = new Set<Permission>([
  'reviews:decide',
  'security:approve',
  'members:edit',
  'mcp:govern',
  'api_keys:view',
  'api_keys:create',
  'api_keys:edit',
  'api_keys:delete',
  'tenant:delete',
  'tenant:transfer',
])

const all = Object.keys(permissionGrid) as Permission[]

/** What each role may do. */
export const rolePermissions: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  owner: new Set(all.filter((it) => roleHolds('owner', it))),
  admin: new Set(all.filter((it) => roleHolds('admin', it))),
  editor: new Set(all.filter((it) => roleHolds('editor', it))),
  viewer: new Set(all.filter((it) => roleHolds('viewer', it))),
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
