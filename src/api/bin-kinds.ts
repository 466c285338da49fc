/** For how many days what was deleted can be restored. */
export const binDays = 30

/** What goes to the bin when it is deleted. Everything else is deleted permanently. */
export const binKinds = ['project', 'version', 'consumer', 'style-guide', 'type', 'webhook', 'mcp-server'] as const
export type BinKind = (typeof binKinds)[number]

/** What each kind is called in texts. */
export const binKindNames: Readonly<Record<BinKind, string>> = {
  project: 'project',
  version: 'draft',
  consumer: 'consumer',
  'style-guide': 'style guide',
  type: 'type',
  webhook: 'webhook',
  'mcp-server': 'MCP server',
}

/** Kinds that can be restored under another slug, label, handle or name. */
export const renamedKinds = ['project', 'version', 'consumer', 'style-guide'] as const satisfies readonly BinKind[]
