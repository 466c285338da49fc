import { ArrowLeft, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'

/**
 * A list and, at its right, what is chosen in it. Where there is no room for both, the chosen one takes the place of the list, which keeps
 * its size, so that rows are not measured as nothing.
 */
export const Beside = ({ list, chosen }: { list: ReactNode; chosen: ReactNode | null }) => (
  <div
    className={
      chosen === null
        ? ''
        : 'relative grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(18rem,2fr)_3fr]'
    }
  >
    <div className={chosen === null ? '' : 'min-w-0 max-lg:invisible max-lg:absolute max-lg:inset-x-0'}>{list}</div>
    {chosen}
  </div>
)

/** One thing of a list in full. The focus follows into it; Escape closes it. */
export const Inspector = ({
  name,
  what,
  all,
  heading,
  badge,
  tools,
  onClose,
  children,
}: {
  /** Which one it is. The focus moves when this changes. */
  name: string
  /** What it is called in "Close the delivery". */
  what: string
  /** The way back on a narrow screen: "All deliveries". */
  all: string
  heading: ReactNode
  /** Its state. */
  badge?: ReactNode
  /** Buttons beside the heading. */
  tools?: ReactNode
  onClose: () => void
  children: ReactNode
}) => {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    title.current?.focus({ preventScroll: true })
    // An address may open it below what is seen, and on a narrow screen the list that it replaces may have been scrolled.
    title.current?.scrollIntoView({ block: 'nearest' })
  }, [name])
  return (
    <article
      className="card grid grid-cols-[minmax(0,1fr)] content-start gap-3 overflow-auto p-4 lg:sticky lg:top-14 lg:max-h-[calc(100dvh-5rem)]"
      tabIndex={0}
      aria-label={name}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <button type="button" className="link flex w-fit items-center gap-1 text-sm lg:hidden" onClick={onClose}>
        <ArrowLeft size={15} aria-hidden="true" />
        {all}
      </button>
      <div className="flex items-start gap-2">
        <h2
          ref={title}
          tabIndex={-1}
          className="flex min-w-0 grow scroll-mt-20 flex-wrap items-baseline gap-x-2 font-semibold outline-none"
        >
          {heading}
        </h2>
        {badge}
        {tools}
        <button
          type="button"
          aria-label={`Close ${what}`}
          onClick={onClose}
          className="inline-flex size-7 shrink-0 items-center justify-center rounded-md hover:bg-raised"
        >
          <X size={16} aria-hidden="true" />
        </button>
      </div>
      {children}
    </article>
  )
}

/** A part of what an inspector shows. */
export const InspectorPart = ({
  title,
  actions,
  children,
}: {
  title: string
  actions?: ReactNode
  children: ReactNode
}) => (
  <section className="grid grid-cols-[minmax(0,1fr)] gap-1 border-t pt-3">
    <div className="flex items-center justify-between gap-2">
      <h3 className="text-sm font-semibold">{title}</h3>
      {actions}
    </div>
    {children}
  </section>
)
