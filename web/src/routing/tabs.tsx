import { Link, useMatches, useNavigate } from '@tanstack/react-router'
import { Menu, MenuItem } from '../parts/menu.tsx'
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
  const navigate = useNavigate()
  const path = useMatches({ select: (matches) => `${matches.at(-1)?.fullPath}/` })
  const tabs = tabsOf(of)
  const isAbove = (to: string): boolean =>
    tabs.some((it) => it.to !== to && it.to.startsWith(`${to.replace(/\/$/, '')}/`))
  // Of the further ones only the open tab is in the row.
  const isShown = (it: { to: string; isFurther: boolean }): boolean => !it.isFurther || path.startsWith(`${it.to}/`)
  const rest = tabs.filter((it) => !isShown(it))
  return (
    <nav
      aria-label={all.has(of) ? `Views of the ${of}` : `Views of this ${of}`}
      className="-mb-1 flex items-center gap-x-1 overflow-x-auto border-b"
    >
      {tabs.filter(isShown).map(({ to, name }) => (
        <Link
          key={to}
          to={to}
          params={{ ...params }}
          // The tab that is open is marked, whatever its filters are, and on the pages below it too.
          activeOptions={{ exact: isAbove(to), includeSearch: false }}
          activeProps={{ className: 'border-ink text-ink', 'aria-current': 'page' }}
          inactiveProps={{ className: 'border-transparent text-soft hover:text-ink' }}
          className="-mb-px border-b-2 px-2.5 py-1.5 text-sm font-medium whitespace-nowrap"
        >
          {name}
        </Link>
      ))}
      {rest.length === 0 ? null : (
        <Menu align="start" label={<span className="shrink-0 font-medium whitespace-nowrap text-soft">More</span>}>
          {rest.map(({ to, name }) => (
            <MenuItem key={to} onClick={() => void navigate({ to, params: { ...params } })}>
              {name}
            </MenuItem>
          ))}
        </Menu>
      )}
    </nav>
  )
}
