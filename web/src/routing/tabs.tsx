import { Link } from '@tanstack/react-router'
import { type Subject, useNavigation } from './navigation.ts'

const all: ReadonlySet<Subject> = new Set(['webhooks', 'types', 'repositories'])

/** The tabs of a project, version, consumer, style guide, type or repository, or of the webhooks, types or repositories: the pages whose routes name it. */
export const Tabs = ({
  of,
  params,
}: {
  of: Subject
  /** The path parameters of all of them. */
  params: Readonly<Record<string, string>>
}) => {
  const { tabsOf } = useNavigation()
  const tabs = tabsOf(of)
  const isAbove = (to: string): boolean =>
    tabs.some((it) => it.to !== to && it.to.startsWith(`${to.replace(/\/$/, '')}/`))
  return (
    <nav
      aria-label={all.has(of) ? `Views of the ${of}` : `Views of this ${of}`}
      data-head
      className="-mb-1 flex items-center gap-x-1 overflow-x-auto border-b max-md:-mt-3 max-md:-mb-3 max-md:[scrollbar-width:none] max-md:[&_button]:min-h-7"
    >
      {tabs.map(({ to, name }) => (
        <Link
          key={to}
          to={to}
          params={{ ...params }}
          // The tab that is open is marked, whatever its filters are, and on the pages below it too.
          activeOptions={{ exact: isAbove(to), includeSearch: false }}
          activeProps={{ className: 'border-ink text-ink', 'aria-current': 'page' }}
          inactiveProps={{ className: 'border-transparent text-soft hover:text-ink' }}
          className="-mb-px border-b-2 px-2.5 py-1.5 text-sm font-medium whitespace-nowrap max-md:py-1"
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}
