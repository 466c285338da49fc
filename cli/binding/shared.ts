/** What the commands about bindings share. */
import type { Binding, BindingDetail, bindingsApi, Candidate } from '../../src/api/bindings.ts'
import type { Output } from '../../src/api/endpoint.ts'
import { plural } from '../../src/kernel/plural.ts'
import type { ChosenSides } from '../../src/merge/merge.ts'
import { renderFacts, renderTable, shortTime } from '../table.ts'
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
export const sideAt = ({ theirs, mine, all }: ChosenSides, id: string): Side => {
  if (theirs?.includes(id)) return 'theirs'
  return mine?.includes(id) ? 'mine' : (all ?? 'mine')
}

/** A conflict in a line, with the side that the result has there. */
export const conflictLine = (
  { id, subject, reason }: { readonly id: string; readonly subject: string; readonly reason?: string },
  side: Side,
): string =>
  reason === undefined
    ? `Both sides changed ${subject}: ${id} (${side})`
    : `The changes of both sides to ${subject} do not fit together: ${reason}: ${id} (${side})`

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

export const versionArguments = [
  { name: 'project', required: true, summary: 'id or slug of the project' },
  { name: 'version', required: true, summary: 'id, label or slug of the draft' },
] as const

/** What names a candidate, and why it is resolved. */
export const candidateArguments = [
  ...versionArguments,
  { name: 'candidate', required: true, summary: 'id of the candidate' },
] as const
export const candidateOptions = {
  note: { type: 'string', placeholder: 'TEXT', summary: 'why, for the history' },
} as const

/** A binding as lines. */
export const renderBinding = (binding: Binding): string =>
  renderFacts([
    ['id', binding.id],
    ['version', binding.version_label],
    ['repository', `${binding.repo_full_name} (${binding.provider})`],
    ['ref', binding.ref],
    ['path', binding.path === '' ? 'the whole tree' : binding.path],
    ['base', binding.commit_sha],
    ['since', binding.synchronized_at],
    ['state', binding.active ? 'active' : `released (${binding.release_reason ?? ''})`],
    ['page', binding.browse_url],
  ])

const changeOf = ({ selection_changed: isChanged, summary }: Candidate): string => {
  if (!isChanged) return 'none'
  if (summary === null) return 'not one document'
  return summary.valid ? (summary.severity ?? 'none') : 'invalid document'
}

const renderCandidates = (all: readonly Candidate[]): string =>
  renderTable(
    ['ID', 'STATUS', 'COMMIT', 'CHANGE', 'LINT', 'CONSUMERS', 'MERGE', 'FOUND'],
    all.map((entry) => [
      entry.id,
      entry.status,
      entry.to_commit.slice(0, 7),
      changeOf(entry),
      entry.summary === null ? '-' : `${entry.summary.lint.before ?? '-'} → ${entry.summary.lint.after ?? '-'}`,
      entry.summary === null || entry.summary.consumers.length === 0 ? '-' : entry.summary.consumers.join(', '),
      entry.merge.state,
      shortTime(entry.detected_at),
    ]),
  )

/** A binding with its candidates. */
export function renderDetail({ binding, pending, history }: BindingDetail): string {
  const all = [...pending, ...history]
  return all.length === 0 ? renderBinding(binding) : `${renderBinding(binding)}\n${renderCandidates(all)}`
}

/** What a draft is bound to, as options. */
export const targetOptions = {
  repository: { placeholder: 'ID', summary: 'a registered repository' },
  ref: { summary: 'branch or tag (default: the default branch)' },
  path: { summary: 'a file, a folder or a glob (default: the whole tree)' },
  account: { placeholder: 'ID', summary: 'your linked account that reads it', field: 'linked_account_id' },
} as const

const places = (n: number): string => plural(n, 'place')

/** How a draft, the file and the commit that the draft comes from differ, as lines. */
export function renderComparison(comparison: Output<typeof bindingsApi.compare>): string {
  const { origin, commit, ref, differs, places: found, base } = comparison
  const difference = found === null ? 'The draft differs from it.' : `The draft differs from it in ${places(found)}.`
  const lines = [`The file at ${commit.slice(0, 7)} of ${ref}.`, differs ? difference : 'The draft is the same.']
  if (origin !== null)
    lines.push(
      `Since ${origin.commit.slice(0, 7)}, where the draft comes from: ${places(origin.file_places)} changed in the file, ${places(origin.draft_places)} in the draft.`,
    )
  if (base === 'origin')
    lines.push('A binding begins there, and the change of the file waits for a decision (--base origin).')
  return `${lines.join('\n')}\n`
}
