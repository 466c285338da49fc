import { useEffect, type ReactNode } from 'react'

/** The frame of every page: its one heading, what stands beside it, and the title of the window. */
export const Page = ({
  trail,
  title,
  badges,
  description,
  actions,
  children,
}: {
  /** The way to this page from its section. */
  trail?: ReactNode
  title: string
  badges?: ReactNode
  description?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) => {
  useEffect(() => {
    document.title = `${title} · svc`
  }, [title])
  return (
    <div className="mx-auto grid w-full max-w-6xl grid-cols-[minmax(0,1fr)] gap-5 px-4 py-6 sm:px-8">
      {trail ? (
        <nav aria-label="Breadcrumb" className="-mb-3 flex flex-wrap gap-x-2 text-sm text-soft">
          {trail}
        </nav>
      ) : null}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="grid min-w-0 gap-1">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="min-w-0 text-xl font-semibold break-words">{title}</h1>
            {badges}
          </div>
          {description ? <div className="text-soft">{description}</div> : null}
        </div>
        {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
      </div>
      {children}
    </div>
  )
}

/** A moment in the reader's own language and zone. */
export const Moment = ({ at }: { at: string }) => (
  <time dateTime={at} title={at}>
    {new Date(at).toLocaleDateString(undefined, { dateStyle: 'medium' })}
  </time>
)

export const count = (number: number, one: string, many: string): string =>
  `${number.toLocaleString()} ${number === 1 ? one : many}`
