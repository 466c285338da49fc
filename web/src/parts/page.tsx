import { Ellipsis } from 'lucide-react'
import { useEffect, useId, useState, type ReactNode } from 'react'
import { dayOf, exactly, relative } from './time.ts'
import { CommandsOfPage } from './commands.tsx'
import { useNarrow } from './use-narrow.ts'

export const useTitle = (title: string): void =>
  useEffect(() => {
    document.title = `${title} · svc`
  }, [title])

/** On a narrow window: shows what the page is about and what can be done with it, below its title. */
const More = ({ open, onOpen }: { open: boolean; onOpen: (open: boolean) => void }) => (
  <button
    type="button"
    aria-label="About this page and its actions"
    aria-expanded={open}
    onClick={() => onOpen(!open)}
    className="inline-flex size-8 shrink-0 items-center justify-center rounded-lg hover:bg-raised md:hidden print:hidden"
  >
    <Ellipsis size={18} aria-hidden="true" />
  </button>
)

/** Whether the bar at the top has room for what can be done with a place. */
const useRoomInBar = (): boolean => {
  const [query] = useState(() => matchMedia('(width >= 80rem)'))
  const [hasRoom, setRoom] = useState(query.matches)
  useEffect(() => {
    const look = (): void => setRoom(query.matches)
    query.addEventListener('change', look)
    return () => query.removeEventListener('change', look)
  }, [query])
  return hasRoom
}

interface HeadProps {
  readonly trail?: ReactNode
  readonly mark?: ReactNode
  readonly title: string
  readonly badges?: ReactNode
  readonly count?: ReactNode
  readonly description?: ReactNode
  readonly main?: ReactNode
  readonly actions?: ReactNode
}

/** The bar at the top and the row below it. */
const Head = ({
  trail,
  mark,
  title,
  badges,
  count,
  description,
  main,
  actions,
  button,
}: HeadProps & { button: ReactNode }) => {
  const [isOpen, setOpen] = useState(false)
  const hasRoom = useRoomInBar()
  const isNarrow = useNarrow()
  const about = description ? (
    <div className="max-w-[75ch] text-pretty wrap-anywhere text-soft">{description}</div>
  ) : null
  // On a narrow window only the title is above the content.
  const folded = isOpen ? '' : 'max-md:hidden'
  const inBar = trail === undefined && hasRoom
  const more =
    about || actions || button ? (
      <span className="ml-auto flex shrink-0 items-center md:hidden">
        {isNarrow ? main : null}
        <More open={isOpen} onOpen={setOpen} />
      </span>
    ) : (
      <span className="ml-auto md:hidden">{isNarrow ? main : null}</span>
    )
  const buttons = (
    <>
      {actions}
      {isNarrow ? null : main}
      {button}
    </>
  )
  const hasButtons = Boolean(actions || main || button)
  return (
    <>
      <div data-head className="place -mb-4 flex h-12 min-w-0 items-center gap-2">
        {trail ? (
          <nav
            aria-label="Breadcrumb"
            className="flex min-w-0 items-center gap-x-2 overflow-hidden text-sm whitespace-nowrap text-soft *:truncate max-md:*:hidden max-md:[&>a:last-of-type]:block [&_a]:text-soft [&_a]:no-underline [&_a:hover]:text-ink"
          >
            {trail}
          </nav>
        ) : (
          <>
            <h1 className="truncate text-lg font-semibold max-md:text-base">{title}</h1>
            {count === undefined ? null : (
              <span className="shrink-0 text-sm text-soft tabular-nums max-md:hidden">{count}</span>
            )}
            {badges}
            {more}
            {inBar && hasButtons ? <div className="ml-auto flex shrink-0 items-center gap-2">{buttons}</div> : null}
          </>
        )}
      </div>
      {trail || about || (hasButtons && !inBar) ? (
        <div
          data-head
          className={`flex flex-wrap items-center justify-between gap-x-6 gap-y-2 empty:hidden max-md:-mt-4 ${trail ? '' : folded}`}
        >
          <div className="grid min-w-0 flex-1 basis-64 grid-cols-[minmax(0,1fr)] gap-1">
            {trail ? (
              <div className="flex min-w-0 items-center gap-x-3 gap-y-1 max-md:h-8 max-md:overflow-hidden md:flex-wrap">
                {mark}
                <h1 className="min-w-0 text-xl font-semibold tracking-tight wrap-anywhere max-md:truncate max-md:text-lg">
                  {title}
                </h1>
                {badges}
                {more}
              </div>
            ) : null}
            {about === null ? null : <div className={folded}>{about}</div>}
          </div>
          {hasButtons && !inBar ? (
            <div className={`flex flex-wrap items-center gap-2 empty:hidden ${folded}`}>{buttons}</div>
          ) : null}
        </div>
      ) : null}
    </>
  )
}

/**
 * The frame of every page: its heading with badges and actions, and the title of the window. A place (without a trail) has its title in
 * the bar at the top, with its count and what can be done; a thing has the way to it there and its own title below.
 */
export const Page = ({
  windowTitle,
  children,
  ...head
}: HeadProps & {
  /** The title of the window, where several pages share one head. */
  windowTitle?: string
  /** The way to this page from its section. */
  trail?: ReactNode
  /** The mark of the thing, before its title. */
  mark?: ReactNode
  /** How many there are of what a place lists. */
  count?: ReactNode
  /** The main action (`MainAction`): on a narrow window it stays in the bar as a sign. */
  main?: ReactNode
  children: ReactNode
}) => {
  useTitle(windowTitle ?? head.title)
  return (
    <CommandsOfPage>
      {(button) => (
        <div className="grid w-full max-w-[1280px] grid-cols-[minmax(0,1fr)] gap-4 px-4 pb-8 md:px-6">
          <Head {...head} button={button} />
          {children}
        </div>
      )}
    </CommandsOfPage>
  )
}

/** A part of a page with a heading of its own. */
export const Section = ({
  title,
  anchor,
  description,
  actions,
  children,
}: {
  title: string
  /** By which an address leads to it: it comes into view once it is drawn. */
  anchor?: string
  description?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) => {
  const id = useId()
  const bring = (section: HTMLElement | null): void => {
    if (anchor !== undefined && location.hash === `#${anchor}`) section?.scrollIntoView()
  }
  return (
    <section aria-labelledby={id} id={anchor} ref={bring} className="scroll-mt-20 grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <div className="grid min-w-0 flex-1 basis-72 gap-0.5">
          <h2 id={id} className="text-base font-semibold">
            {title}
          </h2>
          {description ? <p className="max-w-[75ch] text-sm text-pretty text-soft">{description}</p> : null}
        </div>
        {actions}
      </div>
      {children}
    </section>
  )
}

/** The row above a list: what it is narrowed by; on a narrow window it scrolls sideways. Nothing is drawn where nothing is in it. */
export const Toolbar = ({ children }: { children: ReactNode }) => (
  <div className="relative flex items-center gap-2 empty:hidden has-[>:only-child:empty]:hidden max-md:-mx-4 max-md:[scrollbar-width:none] max-md:overflow-x-auto max-md:px-4 max-md:py-1 max-md:*:shrink-0 max-md:[&>label:not(:only-child)]:w-52 md:flex-wrap max-md:[&_[role=group]]:flex-nowrap">
    {children}
  </div>
)

/** Names and values of one thing; what has no value is left out. */
export const Facts = ({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="grid grid-cols-[fit-content(45%)_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm sm:gap-x-6">
    {facts.map(([name, value]) =>
      value === null || value === undefined || value === '' ? null : (
        <div key={name} className="contents">
          <dt className="text-soft">{name}</dt>
          <dd className="min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ),
    )}
  </dl>
)

/** A moment as the reader says it: how long ago it is within a week, else its date. With the time and zone on hover, or at once. */
export const Moment = ({ at, exact = false }: { at: string; exact?: boolean }) => (
  <time dateTime={at} title={exactly(at)}>
    {exact
      ? new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
      : relative(at, Date.now())}
  </time>
)

/** A day (UTC) in the reader's own language: the same day in every time zone. The instant is on hover, in the zone of the reader. */
export const Day = ({ at }: { at: string }) => (
  <time dateTime={at} title={exactly(at)}>
    {dayOf(at)}
  </time>
)

/** A sentence of the engines, in which names are between backticks. */
export const Words = ({ of }: { of: string }) =>
  of.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <code key={`${index} ${part}`} className="font-mono text-[0.9em] break-words">
        {part}
      </code>
    ),
  )
