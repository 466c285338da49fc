import { defineDue } from '../schedule/door.ts'

/** Goes on with deletions that a process began and did not finish. */
export const deletionKind = defineDue({
  kind: 'deletion',
  longestMs: 60 * 60_000,
  async run({ subjectId, deps, signal }) {
    const { removeRest } = await import('./in-parts.ts')
    return (await removeRest(deps, subjectId, signal)) ? null : deps.clock.now()
  },
})
