import { defineDue } from '../schedule/door.ts'

/** Sends what waits for one target. */
export const sendNewsKind = defineDue({
  kind: 'news.send',
  longestMs: 60_000,
  run: async ({ deps, subjectId, signal }) => (await import('./deliver.ts')).deliver(deps, subjectId, signal),
})
