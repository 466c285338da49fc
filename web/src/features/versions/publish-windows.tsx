import { useNavigate } from '@tanstack/react-router'
import { versionsApi } from '../../../../src/api/versions.ts'
import { call } from '../../call.ts'
import { Confirmation, DangerConfirmation } from '../../parts/dialog.tsx'
import { queryClient } from '../../query-client.ts'
import { type VersionRef, versionParams, versionQuery } from './queries.ts'
import { restorable, sayDeleted } from '../bin/undo.ts'

interface Given {
  readonly at: VersionRef
  readonly onClose: () => void
}

export const RetireWindow = ({ at, onClose, open }: Given & { open: boolean }) => (
  <DangerConfirmation
    open={open}
    onClose={onClose}
    title={`Retire ${at.version}?`}
    action="Retire"
    onConfirm={async () => {
      await call(versionsApi.retire, { params: versionParams(at) })
      await queryClient.invalidateQueries()
    }}
  >
    <p>It stays readable, is marked as retired, and is no longer "latest". This cannot be undone.</p>
  </DangerConfirmation>
)

export const UndeprecateWindow = ({ at, onClose, open }: Given & { open: boolean }) => (
  <Confirmation
    open={open}
    onClose={onClose}
    title={`Withdraw the deprecation of ${at.version}?`}
    action="Withdraw"
    onConfirm={async () => {
      await call(versionsApi.undeprecate, { params: versionParams(at) })
      await queryClient.invalidateQueries()
    }}
  >
    <p>The version is published again. Its sunset and its replacement are removed.</p>
  </Confirmation>
)

export const DeleteDraftWindow = ({ at, onClose, open }: Given & { open: boolean }) => {
  const navigate = useNavigate()
  return (
    <DangerConfirmation
      open={open}
      onClose={onClose}
      title={`Delete the draft ${at.version}?`}
      action="Delete"
      onConfirm={async () => {
        const draft = await queryClient.ensureQueryData(versionQuery(at))
        await call(versionsApi.remove, { params: versionParams(at) })
        await navigate({ to: '/t/$tenant/$project', params: { tenant: at.tenant, project: at.project }, replace: true })
        sayDeleted(at.tenant, draft.id, `The draft ${draft.label}`)
        await queryClient.invalidateQueries()
      }}
    >
      <p>The draft is deleted with its document, reviews and threads. {restorable}</p>
    </DangerConfirmation>
  )
}
