import type { ReactNode } from 'react'

/**
 * The bar at the end of a page where one decides: facts at the left, at most four buttons of equal weight at the right. It stays in
 * sight while the page is read; nothing in it is chosen beforehand.
 */
export const DecideBar = ({
  label = 'Your decision',
  facts,
  children,
}: {
  label?: string
  facts: ReactNode
  /** The buttons. */
  children: ReactNode
}) => (
  <section
    aria-label={label}
    className="decide card sticky bottom-2 z-10 flex flex-wrap items-center justify-between gap-x-5 gap-y-2 bg-float! px-4 py-2.5 shadow-lg max-md:px-3 max-md:py-2 print:hidden"
  >
    <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1 text-sm max-md:gap-x-3 max-md:text-xs">
      {facts}
    </div>
    <div className="flex flex-wrap items-center gap-2 empty:hidden max-md:grow max-md:[&>button]:flex-1 max-md:[&>button]:px-1.5">
      {children}
    </div>
  </section>
)
