import { defineDue } from '../schedule/door.ts'

/** Goes on with deletions that a process began and did not finish. */
export const deletionKind = defineDue({
  kind: 'deletion',
  longestMs: 60 * 60_000,
  async run({ subjectId, deps, signal }) {
    const { removeInParts } = await import('./in-parts.ts')
    await removeInParts(deps, subjectId, signal)
    return signal.aborted ? deps.clock.now() : null
  },
})
