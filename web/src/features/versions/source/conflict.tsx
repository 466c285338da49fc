import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { editsApi, type TextEdit } from '../../../../../src/api/edits.ts'
import { call } from '../../../call.ts'
import { Button } from '../../../parts/button.tsx'
import { AlertWindow } from '../../../parts/dialog.tsx'
import { Form } from '../../../parts/form.tsx'
import { Read } from '../../../parts/listing.tsx'
import type { Snapshot } from '../../../editor/document.ts'
import {
  Conflicts,
  decide,
  decidedIn,
  type Merge,
  type Sides,
  theirsIn,
  undecided,
} from '../../../parts/merge-conflicts.tsx'
import { versionParams, type VersionRef } from '../../catalog/versions.ts'
import { digestIn } from '../../../call.ts'
import { readStored, type StoredText } from './read-rope.ts'
import { textOf } from './use-checks.ts'

/** What a conflict is about: the text of the reader, and the stored one that it began as. */
export interface Meeting {
  readonly digest: string
  readonly snapshot: Snapshot
}

/** Where one continues after a conflict: from their text with some edits, or with one's own text in place of theirs. */
export interface Resolution {
  readonly stored: StoredText
  readonly edits: readonly TextEdit[]
  /** The reader's own text stays as it is. */
  readonly keepsMine: boolean
}

const explain = (state: Merge['state']): string => {
  if (state === 'unreadable')
    return 'One of the two texts cannot be read, so they cannot be merged. Close this and correct yours, or continue with one of the two.'
  return state === 'conflicts'
    ? 'You both changed the places below, or your changes do not fit together there. Everything else is merged automatically. Nothing is saved until you save.'
    : 'You changed different places, and the document is whole with both changes, so they are merged automatically. Nothing is saved until you save.'
}

const Choosing = ({
  at,
  meeting,
  onResolve,
  onClose,
}: {
  at: VersionRef
  meeting: Meeting
  onResolve: (resolution: Resolution) => void
  onClose: () => void
}) => {
  const [sides, setSides] = useState<Sides>(undecided)
  const params = versionParams(at)
  const body = textOf(meeting.digest, meeting.snapshot)
  const id = useId()
  const merge = useQuery({
    queryKey: ['merge', id],
    queryFn: () => call(editsApi.merge, { params, body }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const take = useMutation({
    mutationFn: async (what: 'merged' | 'theirs' | 'mine') => {
      const stored = await readStored(at)
      if (what !== 'merged') return onResolve({ stored, edits: [], keepsMine: what === 'mine' })
      const merged = await call(editsApi.merge, { params, body: { ...body, theirs: [...theirsIn(sides)] } })
      // Saved once more meanwhile: what is merged now has to be seen first.
      if (merged.current !== digestIn(stored.etag)) await merge.refetch()
      else onResolve({ stored, edits: merged.edits, keepsMine: false })
    },
  })
  return (
    <Read query={merge} what="the merge">
      {(merge) => (
        <Form
          change={{
            mutate: () => take.mutate(merge.state === 'unreadable' ? 'theirs' : 'merged'),
            isPending: take.isPending,
            error: take.error,
          }}
          submit={merge.state === 'unreadable' ? 'Continue with theirs' : 'Merge both'}
          disabled={decidedIn(merge, sides) < merge.conflicts.length}
          onCancel={onClose}
          note={
            <>
              {merge.state === 'unreadable' ? null : (
                <Button onClick={() => take.mutate('theirs')}>Continue with theirs</Button>
              )}
              <Button look="danger" onClick={() => take.mutate('mine')}>
                Keep mine, discard theirs
              </Button>
            </>
          }
        >
          <p>{explain(merge.state)}</p>
          {merge.conflicts.length === 0 ? null : (
            <Conflicts
              merge={merge}
              sides={sides}
              words={{ keep: 'Keep mine', take: 'Take theirs', mine: 'Yours', theirs: 'Theirs' }}
              onChoose={(ids, side) => setSides((before) => decide(before, ids, side))}
            />
          )}
        </Form>
      )}
    </Read>
  )
}

/** Someone else saved the document that is being edited: a merge of both, with chosen sides where both changed the same. */
export const ConflictWindow = ({
  at,
  meeting,
  onResolve,
  onClose,
}: {
  at: VersionRef
  meeting: Meeting | null
  onResolve: (resolution: Resolution) => void
  onClose: () => void
}) => (
  <AlertWindow open={meeting !== null} onClose={onClose} title="Another user changed this document" wide>
    {meeting === null ? null : <Choosing at={at} meeting={meeting} onResolve={onResolve} onClose={onClose} />}
  </AlertWindow>
)
