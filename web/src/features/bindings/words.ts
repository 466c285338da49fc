/** What the states of bindings and their candidates are called. */
import type { Binding, Candidate } from '../../../../src/api/bindings.ts'
import type { Tone } from '../../parts/badge.tsx'
import { count } from '../../parts/text.ts'

export const releaseNames: Readonly<Record<NonNullable<Binding['release_reason']>, string>> = {
  replaced: 'replaced',
  unbound: 'unbound',
  repository_removed: 'repository removed',
}

export const statusTones: Readonly<Record<Candidate['status'], Tone>> = {
  pending: 'info',
  applied: 'ok',
  dismissed: 'plain',
  superseded: 'plain',
}
export const statusNames: Readonly<Record<Candidate['status'], string>> = {
  pending: 'waits for a decision',
  applied: 'applied',
  dismissed: 'dismissed',
  superseded: 'superseded',
}

type Merge = Candidate['merge']['state']

export const mergeTones: Readonly<Record<Merge, Tone>> = {
  'fast-forward': 'ok',
  clean: 'ok',
  conflicts: 'warn',
  unreadable: 'plain',
}
export const mergeNames: Readonly<Record<Merge, string>> = {
  'fast-forward': 'fast-forward',
  clean: 'merges cleanly',
  conflicts: 'conflicts',
  unreadable: 'not one document',
}
export const mergeDetails: Readonly<Record<Merge, string>> = {
  'fast-forward': 'Only one of the two sides changed.',
  clean: 'The draft and the repository changed different places, and the document is whole with both changes.',
  conflicts: 'The draft and the repository changed the same places, or their changes do not fit together.',
  unreadable: 'The selection is not one document: compare it at the provider.',
}

type Summary = NonNullable<Candidate['summary']>

/** What changed in the repository, in a few words. */
export const verdictOf = ({ verdict, valid, counts }: Summary): { readonly name: string; readonly tone: Tone } => {
  if (!valid) return { name: 'invalid document', tone: 'danger' }
  if (verdict === 'breaking') return { name: 'breaking', tone: 'danger' }
  if (verdict === 'unknown') return { name: 'undecided', tone: 'warn' }
  if (counts['non-breaking'] > 0) return { name: 'non-breaking', tone: 'ok' }
  return counts['docs-only'] > 0 ? { name: 'documentation only', tone: 'ok' } : { name: 'no changes', tone: 'plain' }
}

const parts = [
  ['breaking', 'breaking'],
  ['non-breaking', 'non-breaking'],
  ['docs-only', 'documentation'],
] as const

export const countWords = ({ counts }: Summary): string =>
  parts.flatMap(([key, name]) => (counts[key] === 0 ? [] : [`${counts[key].toLocaleString()} ${name}`])).join(', ')

/** The overlays that svc.yaml names for the document of a binding, in their order, one a line. */
export const overlayWords = ({ lineage }: Pick<Binding, 'lineage'>): readonly string[] =>
  (lineage?.overlays ?? []).map(
    ({ source, title, actions, matches }) =>
      `${source} (${title}): ${count(actions, 'action', 'actions')}, ${count(matches, 'place', 'places')}`,
  )

export const pathWords = (path: string): string => (path === '' ? 'the whole tree' : path)

export const detectorNames: Readonly<Record<Candidate['detected_by'], string>> = {
  check: 'by a check',
  webhook: 'by a webhook',
  poll: 'by polling',
}
