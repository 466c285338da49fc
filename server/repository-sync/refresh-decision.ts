/** What happens to an imported file when its repository was read, without any storage. */
import type { repositoryImports, repositoryRefreshes } from '../../db/tables.gen.ts'
import type { VersionRow } from '../records/door.ts'

type ImportRow = typeof repositoryImports.$inferSelect
type RefreshRow = typeof repositoryRefreshes.$inferSelect

export type Decision =
  | { readonly kind: 'keep' }
  | { readonly kind: 'hold' }
  | { readonly kind: 'fail'; readonly error: string }
  /** `keepAs`: the label of a draft that keeps what was edited here; null: nothing was. */
  | { readonly kind: 'import'; readonly label: string; readonly isBranched: boolean; readonly keepAs: string | null }

/**
 * What happens to a file that was imported: base is the last import, mine the draft, theirs the file in the repository.
 * - theirs is as it was: nothing
 * - mine is as it was: theirs is taken, whatever the policy
 * - both changed: by the policy
 */
export function decideRefresh(entry: {
  readonly isTheirsSame: boolean
  readonly version: Pick<VersionRow, 'status' | 'digest' | 'label'> | null
  readonly importedDigest: string
  readonly policy: 'overwrite' | 'hold-for-review' | 'new-branch'
  readonly commit: string
}): Decision {
  const { version, commit } = entry
  if (entry.isTheirsSame) return { kind: 'keep' }
  if (version === null) return { kind: 'fail', error: 'the version that it was imported to was deleted' }
  const aside = `${version.label}-${commit.slice(0, 7)}`
  // What was published stays: a change of the file is a new draft.
  if (version.status !== 'draft') return { kind: 'import', label: aside, isBranched: true, keepAs: null }
  const isMineSame = version.digest === entry.importedDigest
  const inPlace = { kind: 'import', label: version.label, isBranched: false } as const
  if (isMineSame) return { ...inPlace, keepAs: null }
  if (entry.policy === 'overwrite') return { ...inPlace, keepAs: `${version.label}-before-${commit.slice(0, 7)}` }
  return entry.policy === 'new-branch'
    ? { kind: 'import', label: aside, isBranched: true, keepAs: null }
    : { kind: 'hold' }
}

/** What is written where nothing is imported. */
export interface Settled {
  readonly status: ImportRow['refreshStatus']
  /** Undefined: as it was. */
  readonly divergedAt?: string | null
  /** Null: the history gets no entry. */
  readonly history: Pick<RefreshRow, 'outcome' | 'error'> | null
  /** Null: no notice is sent. */
  readonly notice: { readonly event: 'refresh.failed' | 'sync.diverged'; readonly text: string } | null
}

/**
 * What a decision other than an import writes; null: nothing, since it was reported already.
 * @param file.state names what both sides have now: a change of it is reported again
 */
export function settledBy(
  decision: Exclude<Decision, { readonly kind: 'import' }>,
  before: Pick<ImportRow, 'refreshStatus' | 'divergedAt'>,
  file: { readonly path: string; readonly trigger: RefreshRow['trigger']; readonly state: string | null },
): Settled | null {
  const { path, trigger, state } = file
  switch (decision.kind) {
    case 'keep': {
      const history = trigger === 'manual' ? ({ outcome: 'up-to-date', error: null } as const) : null
      return { status: 'up-to-date', divergedAt: null, history, notice: null }
    }
    case 'fail':
      if (before.refreshStatus === 'failed' && trigger === 'poll') return null
      return {
        status: 'failed',
        history: { outcome: 'failed', error: decision.error },
        notice: { event: 'refresh.failed', text: `${path} was not refreshed: ${decision.error}` },
      }
    case 'hold':
      if (before.refreshStatus === 'diverged' && before.divergedAt === state) return null
      return {
        status: 'diverged',
        divergedAt: state,
        history: { outcome: 'diverged', error: null },
        notice: { event: 'sync.diverged', text: `${path} was edited here and in the repository` },
      }
  }
}
