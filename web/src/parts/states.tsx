import type { ReactNode } from 'react'
import { permissionGrid, type Permission } from '../../../src/api/permissions.ts'
import { SvcError } from '../../../src/errors.ts'
import { Button, buttonClass } from './button.tsx'

/** What a list shows when there is nothing in it: what would stand there and how to get it there. */
export const Empty = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className="card grid justify-items-center gap-2 border-dashed px-6 py-12 text-center">
    <h2 className="text-base font-semibold">{title}</h2>
    <div className="grid max-w-prose justify-items-center gap-4 text-soft">{children}</div>
  </div>
)

/** What a list shows when a filter leaves nothing of it. */
export const NoMatch = ({ what, onClear }: { what: string; onClear: () => void }) => (
  <Empty title="Nothing matches">
    <p>No {what} fits what you searched for.</p>
    <Button onClick={onClear}>Clear the search</Button>
  </Empty>
)

export const Loading = ({ what }: { what: string }) => (
  <p role="status" className="px-1 py-10 text-center text-soft">
    Loading {what} …
  </p>
)

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

const rolesWith = (permission: Permission): string => {
  const names = permissionGrid[permission].map(capital)
  return names.length === 1 ? String(names[0]) : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

/** Why something is not offered: what it takes, and who has it. */
export const needs = (permission: Permission, what: string): string =>
  `${what} needs the role ${rolesWith(permission)}.`

/** What stands where the role does not reach: what it would take, and whom to ask. */
export const NoPermission = ({ permission, onRetry }: { permission: string; onRetry?: () => void }) => (
  <div role="alert" className="card grid justify-items-center gap-2 border-dashed px-6 py-12 text-center">
    <h2 className="text-base font-semibold">You may not see this</h2>
    <p className="max-w-prose text-soft">
      It needs the permission <code className="font-mono text-sm">{permission}</code>
      {permission in permissionGrid ? `, which ${rolesWith(permission as Permission)} of this tenant has` : ''}. Ask one
      of them for a role that includes it.
    </p>
    <code className="font-mono text-xs text-soft">permission-denied</code>
    {onRetry ? <Button onClick={onRetry}>Try again</Button> : null}
  </div>
)

const titleOf = (error: SvcError): string => {
  if (error.status === 403) return 'This is refused'
  if (error.status === 404) return 'There is nothing here'
  if (error.status === 401) return 'You are signed out'
  if (error.status === 429) return 'Too many attempts'
  if (error.code === 'transport-failed') return 'The service does not answer'
  return 'This did not work'
}

/** Where one signs in and comes back to where one is. */
const signInAddress = (): string =>
  `/app/sign-in?to=${encodeURIComponent(location.pathname.replace(/^\/app/, '') + location.search)}`

/** Any failure of a call, in the words of the error catalogue: what, and what to do next. */
export const Failure = ({ error, onRetry }: { error: unknown; onRetry?: () => void }) => {
  const known = error instanceof SvcError ? error : null
  return (
    <div role="alert" className="card grid gap-1.5 border-danger px-5 py-4">
      <p className="font-semibold text-danger">{known ? titleOf(known) : 'This is a fault of the application'}</p>
      <p>{error instanceof Error ? error.message : String(error)}</p>
      {known ? <p className="text-soft">{known.hint}</p> : null}
      <p className="flex flex-wrap items-center gap-3 text-xs text-soft">
        {known ? <code className="font-mono">{known.code}</code> : null}
        {known?.status === 401 ? (
          // A whole new page: nothing that the ended session had read stays in memory.
          <a className={buttonClass('primary')} href={signInAddress()}>
            Sign in
          </a>
        ) : null}
        {onRetry ? <Button onClick={onRetry}>Try again</Button> : null}
      </p>
    </div>
  )
}

/** A refused or failed reading, where what was read would stand. */
export const Unread = ({ error, onRetry }: { error: unknown; onRetry: () => void }) =>
  error instanceof SvcError && error.code === 'permission-denied' ? (
    <NoPermission permission={(error.detail as { permission: string }).permission} onRetry={onRetry} />
  ) : (
    <Failure error={error} onRetry={onRetry} />
  )
