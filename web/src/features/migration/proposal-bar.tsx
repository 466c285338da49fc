import type { MigrationProposal } from '../../../../src/api/migration-plans.ts'
import { Button } from '../../parts/button.tsx'
import { count } from '../../parts/text.ts'
import type { RulesAction } from './rules-state.ts'

/** Proposals below it are guesses: a person looks at each. */
const surely = 0.8

/** The proposals that wait for a decision, and those that were rejected. */
export const ProposalBar = ({
  open,
  rejected,
  may,
  dispatch,
}: {
  open: readonly MigrationProposal[]
  rejected: number
  /** Whether the person may edit rules. */
  may: boolean
  dispatch: (action: RulesAction) => void
}) => {
  const sure = open.filter(({ confidence }) => confidence >= surely)
  return (
    <>
      {may && open.length > 0 ? (
        <div className="flex flex-wrap items-center gap-3 text-sm">
          {count(open.length, 'proposal to review', 'proposals to review')}.
          {sure.length === 0 ? null : (
            <Button onClick={() => dispatch({ kind: 'accept', proposals: sure })}>
              {sure.length === open.length
                ? 'Accept all'
                : `Accept ${sure.length.toLocaleString()} of at least ${surely * 100} %`}
            </Button>
          )}
        </div>
      ) : null}
      {rejected > 0 ? (
        <p className="flex flex-wrap items-center gap-3 text-sm text-soft">
          {count(rejected, 'proposal', 'proposals')} rejected.
          <button type="button" className="link" onClick={() => dispatch({ kind: 'show-rejected' })}>
            Show again
          </button>
        </p>
      ) : null}
    </>
  )
}
