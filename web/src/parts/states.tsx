import type { ReactNode } from 'react'
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

const titleOf = (error: SvcError): string => {
  if (error.status === 403) return 'You may not see this'
  if (error.status === 404) return 'There is nothing here'
  if (error.status === 401) return 'You are signed out'
  return 'This did not work'
}

/** Where one signs in and comes back to where one is. */
const signInAddress = (): string =>
  `/app/sign-in?to=${encodeURIComponent(location.pathname.replace(/^\/app/, '') + location.search)}`

/** Any failure of a call, in the words of the error catalogue: what, and what to do next. */
export const Failure = ({ error, onRetry }: { error: unknown; onRetry?: () => void }) => {
  const known = error instanceof SvcError ? error : null
  return (
    <div role="alert" className="card grid gap-2 border-danger px-5 py-4">
      <h2 className="font-semibold text-danger">{known ? titleOf(known) : 'This is a fault of the application'}</h2>
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
