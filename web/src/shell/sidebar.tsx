import { useQuery } from '@tanstack/react-query'
import { Link, useMatches, useNavigate } from '@tanstack/react-router'
import { useInboxCount } from '../features/home/inbox-count.ts'
import { Menu, MenuChoice, MenuItem, MenuLine } from '../parts/menu.tsx'
import { hasPage, useNavigation } from '../routing/navigation.ts'
import { identityQuery, opens } from '../session.ts'
import { Logo } from './logo.tsx'

const TenantMenu = ({ tenant }: { tenant: string }) => {
  const identity = useQuery(identityQuery)
  const navigate = useNavigate()
  const memberships = identity.data?.memberships.filter((it) => it.status === 'active') ?? []
  const name = memberships.find((it) => it.slug === tenant)?.name ?? tenant
  return (
    <Menu
      align="start"
      label={
        <>
          <span className="sr-only">Organization: </span>
          <span className="truncate text-base font-semibold">{name}</span>
        </>
      }
    >
      <MenuChoice
        label="Organization"
        value={tenant}
        options={memberships.map((it) => ({ value: it.slug, name: it.name }))}
        onChoose={(slug) => void navigate({ to: '/t/$tenant/-/home', params: { tenant: slug } })}
      />
      <MenuLine />
      <MenuItem onClick={() => void navigate({ to: '/', search: { all: 'yes' } })}>Your organizations</MenuItem>
      <MenuItem onClick={() => void navigate({ to: '/new-tenant' })}>Create an organization …</MenuItem>
    </Menu>
  )
}

/** The addresses of the place in the sidebar and of the page below it that the page belongs to: projects and versions are part of the first one, other pages of none. */
const useOpen = (): { section: string; page: string } => {
  const { sections } = useNavigation()
  const path = useMatches({ select: (matches) => `${matches.at(-1)?.fullPath}/` })
  const isIn = (it: { to: string }): boolean => it.to !== '/t/$tenant' && path.startsWith(`${it.to}/`)
  for (const section of sections) {
    const page = section.below.find(isIn)
    if (page !== undefined) return { section: section.to, page: page.to }
    if (isIn(section)) return { section: section.to, page: section.to }
  }
  return path.startsWith('/t/$tenant/-/') ? { section: '', page: '' } : { section: '/t/$tenant', page: '' }
}

const entry = 'flex min-h-7 items-center gap-2.5 rounded-lg px-2 text-sm font-medium'
const present = 'bg-float text-ink ring-1 ring-line'
const other = 'text-soft hover:bg-raised hover:text-ink'

/** How much waits for the person: a number in the sidebar is never a total of something. */
const Waiting = ({ tenant }: { tenant: string }) => {
  const count = useInboxCount(tenant)
  if (count === undefined || count === 0) return null
  return (
    <span className="ml-auto text-xs font-medium">
      {count.toLocaleString()}
      <span className="sr-only"> waiting for you</span>
    </span>
  )
}

/** The places of an organization, at most eleven, in three groups; the open one lists the pages below it. */
export const Sidebar = ({ tenant, open, onKeys }: { tenant: string; open: boolean; onKeys: () => void }) => {
  const identity = useQuery(identityQuery)
  const { sections } = useNavigation()
  const at = useOpen()
  const may = (it: (typeof sections)[number] | (typeof sections)[number]['below'][number]): boolean =>
    opens(identity.data, tenant, it) && hasPage(it, tenant)
  const visible = sections.filter(may)
  return (
    <aside
      aria-label="Organization"
      className={`${open ? 'fixed inset-x-0 top-12 bottom-0 z-30 flex bg-ground' : 'hidden'} shrink-0 flex-col overflow-y-auto border-line px-2 pb-3 md:sticky md:top-0 md:flex md:h-dvh md:w-52 md:border-r print:hidden!`}
    >
      <div className="flex h-12 shrink-0 items-center gap-1 px-1">
        <Link to="/" className="rounded" aria-label="svc, home">
          <Logo />
        </Link>
        <TenantMenu tenant={tenant} />
      </div>
      <nav id="sections" aria-label="Sections" className="grid content-start">
        {[...new Set(visible.map((it) => it.group))].map((group) => (
          <ul
            key={group}
            aria-label={group}
            className="grid gap-0.5 border-t border-line py-2.5 first:border-0 first:pt-1"
          >
            {visible
              .filter((it) => it.group === group)
              .map(({ to, name, first, icon: Icon, below }) => {
                const listed =
                  at.section === to && first !== undefined ? below.filter((it) => it.isListed && may(it)) : []
                return (
                  <li key={to} className="grid gap-0.5">
                    <Link
                      to={to}
                      params={{ tenant }}
                      activeOptions={{ exact: true, includeSearch: false }}
                      className={`${entry} ${at.section === to && listed.length === 0 ? present : other} ${at.section === to ? 'text-ink!' : ''}`}
                    >
                      <Icon size={16} aria-hidden="true" />
                      {name}
                      {name === 'Home' ? <Waiting tenant={tenant} /> : null}
                    </Link>
                    {listed.length === 0 ? null : (
                      <ul aria-label={name} className="grid gap-0.5 pl-6">
                        {[{ to, name: first ?? name }, ...listed].map((page) => (
                          <li key={page.to} className="grid">
                            <Link
                              to={page.to}
                              params={{ tenant }}
                              activeOptions={{ exact: true, includeSearch: false }}
                              className={`${entry} ${at.page === page.to ? present : other}`}
                            >
                              {page.name}
                            </Link>
                          </li>
                        ))}
                      </ul>
                    )}
                  </li>
                )
              })}
          </ul>
        ))}
      </nav>
      <button
        type="button"
        onClick={onKeys}
        className="mt-auto flex min-h-7 w-fit items-center gap-1.5 rounded-lg px-2 text-xs text-faint hover:bg-raised"
      >
        <kbd className="rounded border border-bound bg-float px-1.5 font-sans">?</kbd> keys
      </button>
    </aside>
  )
}
