import { defineDue } from '../schedule/door.ts'

/** Asks a server what it offers. */
export const observeKind = defineDue({
  kind: 'mcp.observe',
  longestMs: 60_000,
  async run({ subjectId, tenantId, deps, signal }) {
    const { observeDue } = await import('./observe-service.ts')
    return observeDue(deps, tenantId ?? '', subjectId, signal)
  },
})
