/** What the commands about bindings share. */
import { type Binding, type BindingDetail, bindingsApi, type Candidate } from '../../src/api/bindings.ts'
import type { Invocation, Result } from '../declare.ts'
import { renderFacts, renderTable, shortTime } from '../table.ts'

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

interface ResolveArguments {
  readonly project: string
  readonly version: string
  readonly candidate: string
}

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

/** What `svc binding apply` and `svc binding dismiss` do: both resolve a candidate, and show the binding afterwards. */
export const resolveCandidate = async (
  { args, options, connection }: Invocation<ResolveArguments, { readonly note: string | undefined }>,
  status: 'applied' | 'dismissed',
): Promise<Result> => {
  const { call, tenant } = await connection()
  const version = { tenant_slug: await tenant(), project_ref: args.project, version_ref: args.version }
  const detail = await call(bindingsApi.resolve, {
    params: { ...version, candidate_id: args.candidate },
    body: { status, note: options.note ?? null },
  })
  return { data: detail, text: renderDetail(detail) }
}
