import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useMatches, useNavigate, useParams } from '@tanstack/react-router'
import { Menu as MenuIcon, Search, UserRound, X } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { Bell } from '../features/notifications/bell.tsx'
import { buttonClass } from '../parts/button.tsx'
import { documentation } from '../parts/documentation.ts'
import { Menu, MenuChoice, MenuItem, MenuLine, MenuLink } from '../parts/menu.tsx'
import { Page } from '../parts/page.tsx'
import { useHasMessages } from '../parts/toast.ts'
import { holds, identityQuery, sessionQuery, signOut } from '../session.ts'
import { setTheme, themes, useTheme } from '../theme.ts'
import { useNavigation } from '../routing/navigation.ts'
import { Palette } from './palette.tsx'

const AccountMenu = () => {
  const session = useQuery(sessionQuery)
  const theme = useTheme()
  const navigate = useNavigate()
  const user = session.data?.user
  return (
    <Menu
      align="end"
      label={
        <>
          <UserRound size={17} className="shrink-0" aria-hidden="true" />
          <span className="sr-only">Account: </span>
          <span className="max-w-40 truncate max-sm:sr-only">{user?.name ?? '…'}</span>
        </>
      }
    >
      <p className="px-3 py-1.5 text-xs break-all text-soft">{user?.email}</p>
      <MenuItem onClick={() => void navigate({ to: '/account' })}>Your account</MenuItem>
      <MenuLink href={documentation.start}>Documentation</MenuLink>
      <MenuLine />
      <MenuChoice label="Theme" value={theme} options={themes} onChoose={setTheme} />
      <MenuLine />
      <MenuItem onClick={() => void signOut().then(() => navigate({ to: '/sign-in' }))}>Sign out</MenuItem>
    </Menu>
  )
}

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
          <span className="truncate font-medium">{name}</span>
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

/** The address of the section that the page belongs to: projects and versions are part of the first one, other pages of none. */
const useOpenSection = (): string => {
  const { sections } = useNavigation()
  return useMatches({
    select: (matches) => {
      const path = `${matches.at(-1)?.fullPath}/`
      const found = sections.find((it) => it.to !== '/t/$tenant' && path.startsWith(`${it.to}/`))
      return found?.to ?? (path.startsWith('/t/$tenant/-/') ? '' : '/t/$tenant')
    },
  })
}

const Sidebar = ({ tenant, open }: { tenant: string; open: boolean }) => {
  const identity = useQuery(identityQuery)
  const { sections } = useNavigation()
  const section = useOpenSection()
  const visible = sections.filter((it) => holds(identity.data, tenant, it.permission))
  const groups = [...new Set(visible.map((it) => it.group))]
  return (
    <nav
      id="sections"
      aria-label="Sections"
      className={`${open ? 'grid' : 'hidden'} print:hidden! gap-4 border-b bg-surface px-3 py-3 md:sticky md:top-[3.0625rem] md:grid md:max-h-[calc(100dvh-3.0625rem)] md:w-52 md:shrink-0 md:content-start md:self-start md:overflow-y-auto md:border-b-0 md:bg-transparent md:py-6`}
    >
      {groups.map((group) => (
        <div key={group} className="grid gap-0.5">
          <p className="px-3 pb-1 text-xs font-medium text-soft">{group}</p>
          {visible
            .filter((it) => it.group === group)
            .map(({ to, name, icon: Icon }) => (
              <Link
                key={to}
                to={to}
                params={{ tenant }}
                activeOptions={{ exact: true, includeSearch: false }}
                className={`flex items-center gap-2.5 rounded-lg px-3 py-1.5 text-sm font-medium ${section === to ? 'bg-wash text-accent' : 'text-soft hover:bg-raised hover:text-ink'}`}
              >
                <Icon size={17} aria-hidden="true" />
                {name}
              </Link>
            ))}
        </div>
      ))}
    </nav>
  )
}

const SkipLink = () => (
  <a
    href="#main"
    onClick={(event) => {
      // The router would take the fragment for a new page.
      event.preventDefault()
      document.getElementById('main')?.focus()
    }}
    className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-surface focus:p-3"
  >
    Skip to content
  </a>
)

/** Ctrl K and ⌘ K open the command palette from anywhere, and close it. */
const usePaletteKey = (toggle: () => void): void =>
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      toggle()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [toggle])

const Toaster = lazy(async () => ({ default: (await import('../parts/toaster.tsx')).Toaster }))

/** Messages about what was done; their code is fetched with the first one. */
const Messages = () =>
  useHasMessages() ? (
    <Suspense>
      <Toaster />
    </Suspense>
  ) : null

/** Instead of the pages of an organization that requires a second factor, for members without one. */
const SecondFactorMissing = ({ name }: { name: string }) => (
  <Page title={`${name} requires a second factor`}>
    <div className="card grid max-w-xl gap-3 p-4">
      <p>Your account has none. Add a passkey or an authenticator app, then come back.</p>
      <Link to="/account" hash="second-factor" className={`${buttonClass('primary')} w-fit`}>
        Add a second factor
      </Link>
    </div>
  </Page>
)

/** The page of the route, unless the organization keeps the person out. */
const Content = ({ tenant }: { tenant: string | undefined }) => {
  const own = useQuery(identityQuery).data?.memberships.find((it) => it.slug === tenant)
  return own?.second_factor_missing === true ? <SecondFactorMissing name={own.name} /> : <Outlet />
}

/** The frame around every page of a signed-in person: organization, search, account, sections. */
export const AppShell = ({
  tenant: named,
  children,
}: {
  /** The organization, where the route does not name it. */
  tenant?: string | undefined
  /** Instead of the page of the route. */
  children?: ReactNode
}) => {
  const params = useParams({ strict: false })
  const tenant = params.tenant ?? named
  const { pathname } = useLocation()
  const [searching, setSearching] = useState(false)
  const [open, setOpen] = useState(false)
  const [toggle] = useState(() => () => setSearching((it) => !it))
  usePaletteKey(toggle)
  useEffect(() => {
    setOpen(false)
    // The element that had the focus may have left with the previous page: the focus moves into the new page, not to the top.
    if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true })
  }, [pathname])
  const MenuMark = open ? X : MenuIcon
  return (
    <div className="flex min-h-screen flex-col">
      <SkipLink />
      <header className="top-0 z-20 flex print:hidden items-center gap-1 border-b bg-surface px-3 py-1.5 sm:sticky sm:gap-2">
        {tenant ? (
          <button
            type="button"
            aria-label="Sections"
            aria-expanded={open}
            aria-controls="sections"
            onClick={() => setOpen(!open)}
            className="inline-flex size-9 shrink-0 items-center justify-center rounded-lg hover:bg-raised md:hidden"
          >
            <MenuMark size={18} aria-hidden="true" />
          </button>
        ) : null}
        <div className="flex min-w-0 items-center gap-1 sm:flex-1 sm:gap-2">
          <Link to="/" className="rounded px-2 text-lg font-bold tracking-tight text-accent" aria-label="svc, home">
            svc
          </Link>
          {tenant ? <TenantMenu tenant={tenant} /> : null}
        </div>
        <button
          type="button"
          onClick={() => setSearching(true)}
          className="mx-auto inline-flex min-h-9 shrink-0 items-center gap-2 rounded-lg border border-edge px-3 text-sm text-soft hover:bg-raised sm:w-72"
        >
          <Search size={15} aria-hidden="true" />
          <span className="max-sm:sr-only">Go to …</span>
          <kbd className="ml-auto hidden rounded border px-1 font-sans text-xs sm:inline">Ctrl K</kbd>
        </button>
        <div className="ml-auto flex items-center justify-end sm:flex-1">
          {tenant ? <Bell tenant={tenant} /> : null}
          <AccountMenu />
        </div>
      </header>
      <div className="flex grow flex-col md:flex-row">
        {tenant ? <Sidebar tenant={tenant} open={open} /> : null}
        <main id="main" tabIndex={-1} className="min-w-0 grow outline-none">
          {children ?? <Content tenant={tenant} />}
        </main>
      </div>
      <Palette open={searching} onOpenChange={setSearching} />
      <Messages />
    </div>
  )
}
