import { defineOutboxReader } from '../outbox/define.ts'

/** Notifies people of servers that offer something else than before. */
export const mcpNoticeReader = defineOutboxReader({
  name: 'mcp-notices',
  types: ['mcp.surface_changed'],
  work: async (deps, tx, event) => (await import('./notify.ts')).notifyOfChange(deps, tx, event),
})
