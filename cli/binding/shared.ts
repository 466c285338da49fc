/** What the commands about bindings share. */
import type { Binding, BindingDetail, Candidate } from '../../src/api/bindings.ts'
import { renderFacts, renderTable, shortTime } from '../table.ts'

export const versionArguments = [
  { name: 'project', required: true, summary: 'id or slug of the project' },
  { name: 'version', required: true, summary: 'id, label or slug of the draft' },
] as const

/** A binding as lines. */
export const renderBinding = (it: Binding): string =>
  renderFacts([
    ['id', it.id],
    ['version', it.version_label],
    ['repository', `${it.repo_full_name} (${it.provider})`],
    ['ref', it.ref],
    ['path', it.path === '' ? 'the whole tree' : it.path],
    ['commit', it.commit_sha],
    ['synchronized', it.synchronized_at],
    ['state', it.active ? 'active' : `released (${it.release_reason ?? ''})`],
    ['page', it.browse_url],
  ])

const changeOf = ({ selection_changed: isChanged, summary }: Candidate): string => {
  if (!isChanged) return 'none'
  if (summary === null) return 'not one document'
  return summary.valid ? (summary.severity ?? 'none') : 'invalid document'
}

const renderCandidates = (all: readonly Candidate[]): string =>
  renderTable(
    ['ID', 'STATUS', 'COMMIT', 'CHANGE', 'LINT', 'CONSUMERS', 'MERGE', 'FOUND'],
    all.map((it) => [
      it.id,
      it.status,
      it.to_commit.slice(0, 7),
      changeOf(it),
      it.summary === null ? '-' : `${it.summary.lint.before ?? '-'} → ${it.summary.lint.after ?? '-'}`,
      it.summary === null || it.summary.consumers.length === 0 ? '-' : it.summary.consumers.join(', '),
      it.merge.state,
      shortTime(it.detected_at),
    ]),
  )

/** A binding with its candidates. */
export function renderDetail({ binding, pending, history }: BindingDetail): string {
  const all = [...pending, ...history]
  return all.length === 0 ? renderBinding(binding) : `${renderBinding(binding)}\n${renderCandidates(all)}`
}
