/** Roles of a tenant, strongest first. An API key acts as `member`: see `keyPermissions`. */
export const roles = ['owner', 'admin', 'editor', 'viewer'] as const
export type Role = (typeof roles)[number]

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

/** Scopes an API key may carry. `*` stands alone. */
export const keyScopes = ['*', 'diff:read', 'lint:read'] as const
export type KeyScope = (typeof keyScopes)[number]
