/** Commands by the names that they had before: they still work, and are in no help, completion or documentation. */

/** A former name, the group or the command, and the present one. */
export const formerNames: Readonly<Record<string, string>> = {
  'agent-key': 'key agent',
  'api-key': 'key api',
  'mcp-key': 'key mcp',
  'account link': 'account create',
  'change-report template add': 'change-report template create',
  'gateway enforcer remove': 'gateway enforcer delete',
  'gateway exception add': 'gateway exception create',
  'gateway exception remove': 'gateway exception delete',
  'gateway group set': 'gateway group update',
  'gateway policy set': 'gateway policy update',
  'gateway positive set': 'gateway positive update',
  'gateway rule add': 'gateway rule create',
  'gateway rule remove': 'gateway rule delete',
  'member remove': 'member delete',
  'member set': 'member update',
  'migration set': 'migration update',
  'repository add': 'repository create',
  'style-guide rules': 'style-guide rule list',
  'style-guide set-rule': 'style-guide rule update',
  'style-guide update-rule': 'style-guide rule update',
  'thread open': 'thread create',
  'view save': 'view create',
  'key agent revoke': 'key agent delete',
}

/** The present name of a command that may be named as it was before. */
export function presentName(name: string): string {
  for (const [former, present] of Object.entries(formerNames))
    if (name === former || name.startsWith(`${former} `)) return presentName(present + name.slice(former.length))
  return name
}
