import { defineOutboxReader } from '../outbox/door.ts'

/** Notifies people of servers that offer something else than before. */
export const mcpNoticeReader = defineOutboxReader({
  name: 'mcp-notices',
  work: async (deps, tx, event) => (await import('./notify.ts')).notifyOfChange(deps, tx, event),
})
