/** Whose values `svc binding merge` takes at conflicts. */
import type { ChosenSides } from '../../src/merge/merge.ts'
import { UsageError } from '../usage-error.ts'

type Side = 'mine' | 'theirs'
/** The body of a merge with chosen sides. */
interface Sides {
  readonly theirs: string[]
  readonly mine: string[]
  readonly all: Side
}

/**
 * Reads --take and --all.
 * @throws UsageError where a side is neither mine nor theirs, and where one conflict is given both
 */
export function readSides(taken: readonly string[], all: string | undefined): Sides {
  const sides = new Map<string, Side>()
  for (const text of taken) {
    // An id is a JSON Pointer, which may have an equals sign itself.
    const cut = text.lastIndexOf('=')
    const [id, side] = [text.slice(0, Math.max(cut, 0)), text.slice(cut + 1)]
    if (cut < 0 || (side !== 'mine' && side !== 'theirs'))
      throw new UsageError(`--take must be CONFLICT=mine or CONFLICT=theirs, not "${text}"`)
    if ((sides.get(id) ?? side) !== side) throw new UsageError(`--take gives "${id}" both sides: leave one out`)
    sides.set(id, side)
  }
  const of = (side: Side): string[] => [...sides].filter(([, one]) => one === side).map(([id]) => id)
  return { theirs: of('theirs'), mine: of('mine'), all: all === 'theirs' ? 'theirs' : 'mine' }
}

/** The side that a conflict was given. */
export const sideAt = ({ theirs, mine, all }: ChosenSides, id: string): Side =>
  theirs?.includes(id) ? 'theirs' : mine?.includes(id) ? 'mine' : (all ?? 'mine')

/**
 * Refuses ids that name no conflict of the merge. Where the answer lists only some of the conflicts, other ids may name one of the rest.
 * @throws UsageError
 */
export function assertConflictsKnown(
  {
    conflicts,
    conflicts_total: total,
  }: { readonly conflicts: readonly { readonly id: string }[]; readonly conflicts_total: number },
  { theirs, mine }: Sides,
): void {
  const known = conflicts.map(({ id }) => id)
  const unknown = [...theirs, ...mine].find((id) => !known.includes(id))
  if (unknown === undefined || total > known.length) return
  throw new UsageError(
    known.length === 0
      ? `--take names "${unknown}", but the merge has no conflicts`
      : `--take names "${unknown}"; the conflicts of this merge are: ${known.join(', ')}`,
  )
}
