import type { ReactNode } from 'react'

/** The row of links to the views of one thing. */
export const Views = ({ label, children }: { label: string; children: ReactNode }) => (
  <nav aria-label={label} className="-mb-1 flex flex-wrap gap-x-1 border-b">
    {children}
  </nav>
)

/** What every link of that row is given: the view that is shown is marked, whatever its filters are. */
export const viewLink = {
  activeOptions: { exact: true, includeSearch: false },
  activeProps: { className: 'border-accent text-ink', 'aria-current': 'page' },
  inactiveProps: { className: 'border-transparent text-soft hover:text-ink' },
  className: '-mb-px border-b-2 px-3 py-2 text-sm font-medium whitespace-nowrap',
} as const
