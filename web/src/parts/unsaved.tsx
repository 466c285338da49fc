import { useBlocker } from '@tanstack/react-router'
import type { Search } from './address.ts'
import { DangerConfirmation } from './dialog.tsx'

interface Place {
  readonly pathname: string
  readonly search: Search
}

/** Filters and dialogs of a page leave nothing behind; its editing mode does. */
const leaves = (from: Place, to: Place): boolean =>
  from.pathname !== to.pathname || from.search['edit'] !== to.search['edit']

/** Asks before a change that was not saved is left behind. `what` is what was changed, as in "this document". */
export const UnsavedGuard = ({ unsaved, what }: { unsaved: boolean; what: string }) => {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => unsaved && leaves(current, next),
    enableBeforeUnload: () => unsaved,
    withResolver: true,
  })
  return (
    <DangerConfirmation
      open={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      title="Discard your changes?"
      action="Discard changes"
      onConfirm={async () => blocker.proceed?.()}
    >
      <p>Your changes to {what} are not saved.</p>
    </DangerConfirmation>
  )
}
