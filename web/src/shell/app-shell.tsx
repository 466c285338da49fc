import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useMatches, useNavigate, useParams } from '@tanstack/react-router'
import { Menu as MenuIcon, Plus, Search, X } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { Bell } from '../features/notifications/bell.tsx'
import { buttonClass } from '../parts/button.tsx'
import { documentation } from '../parts/documentation.ts'
import { Menu, MenuChoice, MenuItem, MenuLine, MenuLink } from '../parts/menu.tsx'
import { Page } from '../parts/page.tsx'
import { NoPermission } from '../parts/states.tsx'
import { useHasMessages } from '../parts/toast.ts'
import { holds, identityQuery, opens, sessionQuery, signOut } from '../session.ts'
import { setTheme, themes, useTheme } from '../theme.ts'
import { later } from '../parts/later.tsx'
import { usePageKeys } from '../parts/page-keys.ts'
import { Person } from '../parts/marks.tsx'
import { Logo } from './logo.tsx'
import { Palette } from './palette.tsx'
import { Sidebar } from './sidebar.tsx'

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
          <Person name={user?.name ?? '…'} />
          <span className="sr-only">Account: {user?.name ?? '…'}</span>
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

const KeysWindow = later('the keys', async () => (await import('./keys-window.tsx')).KeysWindow)

/** The bar above every page, right of the title: finding, importing, news and the account. */
const Bar = ({
  tenant,
  open,
  onOpen,
  onSearch,
}: {
  tenant: string | undefined
  open: boolean
  onOpen: (open: boolean) => void
  onSearch: () => void
}) => {
  const identity = useQuery(identityQuery)
  const MenuMark = open ? X : MenuIcon
  return (
    <header className="sticky top-0 z-20 flex h-12 items-center gap-2 bg-ground px-2 md:px-6 print:hidden">
      {tenant ? (
        <button
          type="button"
          aria-label="Sections"
          aria-expanded={open}
          aria-controls="sections"
          onClick={() => onOpen(!open)}
          className="inline-flex size-9 shrink-0 items-center justify-center rounded-lg hover:bg-raised md:hidden"
        >
          <MenuMark size={18} aria-hidden="true" />
        </button>
      ) : (
        <Link to="/" className="rounded px-1" aria-label="svc, home">
          <Logo />
        </Link>
      )}
      <div className="ml-auto flex items-center gap-1 md:gap-2">
        <button
          type="button"
          onClick={onSearch}
          className="inline-flex h-8 items-center gap-2 rounded-lg px-2 text-sm text-soft hover:bg-raised md:w-56 md:border md:border-bound md:bg-float md:px-2.5"
        >
          <Search size={16} aria-hidden="true" />
          <span className="max-md:sr-only">Find or do</span>
          <kbd className="ml-auto hidden rounded border border-bound px-1 font-sans text-xs md:inline">Ctrl K</kbd>
        </button>
        {tenant && holds(identity.data, tenant, 'projects:create') ? (
          <Link to="/t/$tenant/-/import" params={{ tenant }} className={`${buttonClass()} max-md:hidden`}>
            <Plus size={15} aria-hidden="true" />
            Import
          </Link>
        ) : null}
        {tenant ? <Bell tenant={tenant} /> : null}
        <AccountMenu />
      </div>
    </header>
  )
}

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

/** The page of the route, unless the organization keeps the person out, or their role: neither filters nor buttons of it are drawn then. */
const Content = ({ tenant }: { tenant: string | undefined }) => {
  const identity = useQuery(identityQuery)
  const own = identity.data?.memberships.find((it) => it.slug === tenant)
  const place = useMatches({
    select: (matches) => matches.map(({ staticData }) => staticData.section ?? staticData.below).find((it) => it),
  })
  if (own?.second_factor_missing === true) return <SecondFactorMissing name={own.name} />
  if (own?.status === 'active' && place && !opens(identity.data, own.slug, place))
    return (
      <Page title={place.name}>
        <NoPermission permission={place.permission} />
      </Page>
    )
  return <Outlet />
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
  const [keys, setKeys] = useState(false)
  usePaletteKey(toggle)
  usePageKeys({ '?': () => setKeys(true) })
  useEffect(() => {
    setOpen(false)
    // The element that had the focus may have left with the previous page: the focus moves into the new page, not to the top.
    if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true })
  }, [pathname])
  return (
    <div className={tenant ? 'flex min-h-screen' : 'min-h-screen'}>
      <SkipLink />
      {tenant ? <Sidebar tenant={tenant} open={open} onKeys={() => setKeys(true)} /> : null}
      <div className="shell flex min-w-0 grow flex-col" {...(tenant ? {} : { 'data-bare': true })}>
        <Bar tenant={tenant} open={open} onOpen={setOpen} onSearch={() => setSearching(true)} />
        <main id="main" tabIndex={-1} className="min-w-0 grow outline-none">
          {children ?? <Content tenant={tenant} />}
        </main>
      </div>
      <Palette open={searching} onOpenChange={setSearching} />
      {keys ? <KeysWindow onClose={() => setKeys(false)} /> : null}
      <Messages />
    </div>
  )
}
