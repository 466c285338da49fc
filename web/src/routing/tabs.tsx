import { Link } from '@tanstack/react-router'
import { type Subject, useNavigation } from './navigation.ts'

const all: ReadonlySet<Subject> = new Set(['webhooks', 'types', 'repositories'])

/** On a narrow window the tabs scroll: the open one is brought into view. */
const bringTab = (nav: HTMLElement | null): void => {
  const tab = nav?.querySelector<HTMLElement>('[aria-current=page]')
  if (nav !== null && tab != null && nav.scrollWidth > nav.clientWidth)
    nav.scrollLeft = tab.offsetLeft - (nav.clientWidth - tab.offsetWidth) / 2
}

/** The tabs of a project, version, consumer, style guide, type or repository, or of the webhooks, types or repositories: the pages whose routes name it. */
export const Tabs = ({
  of,
  params,
  counts = {},
}: {
  of: Subject
  /** The path parameters of all of them. */
  params: Readonly<Record<string, string>>
  /** How many there are of what a tab shows, by the name of the tab. */
  counts?: Readonly<Record<string, number | undefined>>
}) => {
  const { tabsOf } = useNavigation()
  const tabs = tabsOf(of)
  const isAbove = (to: string): boolean =>
    tabs.some((it) => it.to !== to && it.to.startsWith(`${to.replace(/\/$/, '')}/`))
  return (
    <nav
      ref={bringTab}
      aria-label={all.has(of) ? `Views of the ${of}` : `Views of this ${of}`}
      data-head
      className="-mb-1 flex items-center gap-x-1 overflow-x-auto border-b max-md:-mt-3 max-md:-mb-3 max-md:relative max-md:[mask-image:linear-gradient(to_right,#000_calc(100%-1.5rem),transparent)] max-md:[scrollbar-width:none] max-md:[&>:last-child]:mr-6 max-md:[&_button]:min-h-7"
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
          {counts[name] === undefined ? null : (
            <span aria-hidden="true" className="ml-1.5 font-normal text-faint tabular-nums">
              {counts[name].toLocaleString()}
            </span>
          )}
        </Link>
      ))}
    </nav>
  )
}
