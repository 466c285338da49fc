/** What a process of the service does, where several share a database. */
export const roles = ['web', 'worker', 'gateway'] as const
export type Role = (typeof roles)[number]

/**
 * Reads roles as they are set: names with commas between them.
 * @returns null where one is no role, or there is none
 */
export function parseRoles(text: string): ReadonlySet<Role> | null {
  const names = text.split(/[\s,]+/).filter((name) => name !== '')
  const isRole = (name: string): name is Role => (roles as readonly string[]).includes(name)
  return names.length > 0 && names.every(isRole) ? new Set(names) : null
}
