import { capitalized } from './text.ts'
import type { ReactNode } from 'react'
import { type Permission, permissionGrid } from '../../../src/api/permissions.ts'
import { type Code, SvcError } from '../../../src/errors.ts'
import { Button, buttonClass } from './button.tsx'
import { documentation } from './documentation.ts'
import { browserHint } from './error-hint.ts'

/** The code of an error as a link to its explanation. */
const ErrorCode = ({ code }: { code: string }) => (
  <a className="link font-mono text-xs" href={documentation.error(code)} target="_blank" rel="noreferrer">
    {code}
    <span className="sr-only"> (documentation, opens in a new tab)</span>
  </a>
)

/** What an empty list shows: what belongs there and how to add it. */
export const Empty = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className="card grid justify-items-center gap-2 border-dashed px-6 py-12 text-center wrap-anywhere">
    <h2 className="text-base font-semibold">{title}</h2>
    <div className="grid max-w-prose justify-items-center gap-4 text-soft">{children}</div>
  </div>
)

/** What a list shows when nothing matches its filters. */
export const NoMatch = ({ what, onClear }: { what: string; onClear: () => void }) => (
  <Empty title="No matches">
    <p>No {what} matches your search.</p>
    <Button onClick={onClear}>Clear search</Button>
  </Empty>
)

/** What is shown where something is being read: the shape of lines, and words for people who hear it. */
export const Loading = ({ what }: { what: string }) => (
  <div className="grid gap-3 px-4 py-5 md:px-6">
    <p role="status" className="text-sm text-soft">
      Loading {what} …
    </p>
    <div aria-hidden="true" className="skeleton" />
    <div aria-hidden="true" className="skeleton w-4/5" />
    <div aria-hidden="true" className="skeleton w-3/5" />
  </div>
)

const rolesWith = (permission: Permission): string => {
  const names = permissionGrid[permission].map(capitalized)
  return names.length === 1 ? String(names[0]) : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

/** Why something is not offered: the roles that it needs. */
export const needs = (permission: Permission, what: string): string =>
  `${what} needs the role ${rolesWith(permission)}.`

/** Shown where the role has no access: the permission that is needed, and who can give it. */
export const NoPermission = ({ permission, onRetry }: { permission: string; onRetry?: () => void }) => (
  <div role="alert" className="card grid justify-items-center gap-2 border-dashed px-6 py-12 text-center">
    <h2 className="text-base font-semibold">You don't have access</h2>
    <p className="max-w-prose text-soft">
      You need the permission <code className="font-mono text-sm">{permission}</code>
      {permission in permissionGrid ? `, which ${rolesWith(permission as Permission)} of this organization has` : ''}.
      Ask one of them for a role that includes it.
    </p>
    <ErrorCode code="permission-denied" />
    {onRetry ? <Button onClick={onRetry}>Try again</Button> : null}
  </div>
)

const titleOf = (error: SvcError): string => {
  if (error.status === 403) return 'Not allowed'
  if (error.status === 404) return 'Not found'
  if (error.status === 401) return 'You are signed out'
  if (error.status === 429) return 'Too many attempts'
  if (error.code === 'transport-failed') return 'Service not reachable'
  return 'Something went wrong'
}

/** Where one signs in and comes back to where one is. */
const signInAddress = (): string =>
  `/app/sign-in?to=${encodeURIComponent(location.pathname.replace(/^\/app/, '') + location.search)}`

/** A failed call: what happened, and what to do next. */
export const Failure = ({ error, onRetry }: { error: unknown; onRetry?: () => void }) => {
  const known = error instanceof SvcError ? error : null
  return (
    <div role="alert" className="card grid gap-1.5 border-danger px-5 py-4">
      <p className="font-semibold text-danger">{known ? titleOf(known) : 'Unexpected error'}</p>
      <p className="wrap-anywhere">{error instanceof Error ? error.message : String(error)}</p>
      {known ? <p className="text-soft">{browserHint(known.code)}</p> : null}
      <p className="flex flex-wrap items-center gap-3 text-xs text-soft">
        {known ? <ErrorCode code={known.code} /> : null}
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

/** The error of a form with a password: a wrong password does not mean that the session has ended. */
export const PasswordFailure = ({ error, wrong }: { error: unknown; wrong: string }) => (
  <WrongFailure error={error} wrong={{ 'credentials-invalid': wrong }} />
)

/** The error of a form whose refusals by these codes do not mean that the session has ended: what each means there. */
export const WrongFailure = ({ error, wrong }: { error: unknown; wrong: Partial<Record<Code, string>> }) => {
  const text = error instanceof SvcError ? wrong[error.code as Code] : undefined
  return text === undefined ? (
    <Failure error={error} />
  ) : (
    <p role="alert" className="card border-danger px-5 py-4 font-semibold text-danger">
      {text}
    </p>
  )
}

/** A failed read, in place of what would have been read. */
export const Unread = ({ error, onRetry }: { error: unknown; onRetry: () => void }) =>
  error instanceof SvcError && error.code === 'permission-denied' ? (
    <NoPermission permission={(error.detail as { permission: string }).permission} onRetry={onRetry} />
  ) : (
    <Failure error={error} onRetry={onRetry} />
  )

const tones = {
  danger: 'border-transparent bg-danger-wash',
  warn: 'border-transparent bg-warn-wash',
  info: 'border-transparent bg-info-wash',
} as const

/** What someone has to know or do: a sentence in bold, what follows from it, and buttons. */
export const Notice = ({
  tone,
  title,
  actions,
  children,
}: {
  tone: keyof typeof tones
  title: string
  actions?: ReactNode
  children?: ReactNode
}) => (
  <div role="status" className={`card flex flex-wrap items-center justify-between gap-3 px-4 py-3 ${tones[tone]}`}>
    <div className="grid min-w-0 flex-1 basis-72 gap-1">
      <p className="font-semibold">{title}</p>
      {children ? <div className="max-w-[75ch] text-sm text-pretty">{children}</div> : null}
    </div>
    {actions}
  </div>
)
