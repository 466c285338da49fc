import { Menu } from '@base-ui/react/menu'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useMatches, useNavigate, useParams } from '@tanstack/react-router'
import { Bot, ChevronDown, FolderTree, KeyRound, Search, Settings, Upload, UserRound, Users } from 'lucide-react'
import { useEffect, useState } from 'react'
import { identityQuery, sessionQuery, signOut } from '../session.ts'
import { setTheme, type Theme, useTheme } from '../theme.ts'
import { Palette } from './palette.tsx'

const popup =
  'card z-50 min-w-52 p-1 shadow-lg outline-none [&_[role^=menuitem]]:flex [&_[role^=menuitem]]:items-center [&_[role^=menuitem]]:gap-2 [&_[role^=menuitem]]:rounded-md [&_[role^=menuitem]]:px-3 [&_[role^=menuitem]]:py-1.5 [&_[role^=menuitem]]:text-sm [&_[data-highlighted]]:bg-raised'

const themes = { light: 'Light', dark: 'Dark', system: 'Like the system' } as const satisfies Record<Theme, string>

const AccountMenu = () => {
  const session = useQuery(sessionQuery)
  const theme = useTheme()
  const navigate = useNavigate()
  const user = session.data?.user
  return (
    <Menu.Root>
      <Menu.Trigger className="inline-flex min-h-9 items-center gap-1.5 rounded-lg px-2 text-sm hover:bg-raised">
        <UserRound size={17} aria-hidden="true" />
        <span className="sr-only">Account: </span>
        <span className="max-w-40 truncate max-sm:sr-only">{user?.name ?? '…'}</span>
        <ChevronDown size={14} aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={6}>
          <Menu.Popup className={popup}>
            <p className="px-3 py-1.5 text-xs text-soft">{user?.email}</p>
            <Menu.RadioGroup value={theme} onValueChange={(value: Theme) => setTheme(value)} aria-label="Theme">
              {Object.entries(themes).map(([value, name]) => (
                <Menu.RadioItem key={value} value={value} closeOnClick>
                  <span aria-hidden="true" className="w-4">
                    {theme === value ? '✓' : ''}
                  </span>
                  {name}
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
            <Menu.Separator className="my-1 border-t" />
            <Menu.Item onClick={() => void signOut().then(() => navigate({ to: '/sign-in' }))}>Sign out</Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

const TenantMenu = ({ tenant }: { tenant: string }) => {
  const identity = useQuery(identityQuery)
  const navigate = useNavigate()
  const memberships = identity.data?.memberships.filter((it) => it.status === 'active') ?? []
  const name = memberships.find((it) => it.slug === tenant)?.name ?? tenant
  return (
    <Menu.Root>
      <Menu.Trigger className="inline-flex min-h-9 min-w-0 items-center gap-1.5 rounded-lg px-2 font-medium hover:bg-raised">
        <span className="sr-only">Tenant: </span>
        <span className="truncate">{name}</span>
        <ChevronDown size={14} aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner align="start" sideOffset={6}>
          <Menu.Popup className={popup}>
            {memberships.map((it) => (
              <Menu.Item
                key={it.tenant_id}
                onClick={() => void navigate({ to: '/t/$tenant', params: { tenant: it.slug } })}
              >
                <span aria-hidden="true" className="w-4">
                  {it.slug === tenant ? '✓' : ''}
                </span>
                {it.name}
              </Menu.Item>
            ))}
            <Menu.Separator className="my-1 border-t" />
            <Menu.Item onClick={() => void navigate({ to: '/new-tenant' })}>Make a tenant …</Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

const entries = [
  { to: '/t/$tenant', name: 'Projects', icon: FolderTree },
  { to: '/t/$tenant/-/import', name: 'Import', icon: Upload },
  { to: '/t/$tenant/-/keys', name: 'API keys', icon: KeyRound },
  { to: '/t/$tenant/-/agents', name: 'Agent keys', icon: Bot },
  { to: '/t/$tenant/-/members', name: 'Members', icon: Users },
  { to: '/t/$tenant/-/settings', name: 'Settings', icon: Settings },
] as const

const Navigation = ({ tenant }: { tenant: string }) => {
  // Projects and versions are part of the first section, however deep one is in them.
  const section = useMatches({
    select: (matches) =>
      entries.find((it) => it.to !== '/t/$tenant' && it.to === matches.at(-1)?.fullPath)?.to ?? '/t/$tenant',
  })
  return (
    <nav
      aria-label="Sections"
      className="flex gap-1 overflow-x-auto border-b px-2 py-1.5 md:w-48 md:shrink-0 md:flex-col md:border-r md:border-b-0 md:py-4"
    >
      {entries.map(({ to, name, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          params={{ tenant }}
          activeOptions={{ exact: true, includeSearch: false }}
          className={`flex items-center gap-2.5 rounded-lg px-3 py-1.5 text-sm font-medium whitespace-nowrap ${section === to ? 'bg-wash text-accent' : 'text-soft hover:bg-raised hover:text-ink'}`}
        >
          <Icon size={17} aria-hidden="true" />
          {name}
        </Link>
      ))}
    </nav>
  )
}

/** The frame around every page of a signed-in person: tenant, search, account, sections. */
export const AppShell = () => {
  const { tenant } = useParams({ strict: false })
  const [searching, setSearching] = useState(false)
  useEffect(() => {
    const open = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey)) {
        event.preventDefault()
        setSearching((it) => !it)
      }
    }
    addEventListener('keydown', open)
    return () => removeEventListener('keydown', open)
  }, [])
  return (
    <div className="flex min-h-screen flex-col">
      <a
        href="#main"
        onClick={(event) => {
          // The fragment would be a place of its own to the router.
          event.preventDefault()
          document.getElementById('main')?.focus()
        }}
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-surface focus:p-3"
      >
        Skip to the content
      </a>
      <header className="sticky top-0 z-20 flex items-center gap-2 border-b bg-surface px-3 py-1.5">
        <Link to="/" className="px-2 text-lg font-bold tracking-tight text-accent" aria-label="svc, home">
          svc
        </Link>
        {tenant ? <TenantMenu tenant={tenant} /> : null}
        {tenant ? (
          <button
            type="button"
            onClick={() => setSearching(true)}
            className="mx-auto inline-flex min-h-9 items-center gap-2 rounded-lg border border-edge px-3 text-sm text-soft hover:bg-raised"
          >
            <Search size={15} aria-hidden="true" />
            <span>Go to …</span>
            <kbd className="hidden rounded border px-1 font-sans text-xs sm:inline">Ctrl K</kbd>
          </button>
        ) : null}
        <div className="ml-auto">
          <AccountMenu />
        </div>
      </header>
      <div className="flex grow flex-col md:flex-row">
        {tenant ? <Navigation tenant={tenant} /> : null}
        <main id="main" tabIndex={-1} className="min-w-0 grow outline-none">
          <Outlet />
        </main>
      </div>
      {tenant ? <Palette tenant={tenant} open={searching} onOpenChange={setSearching} /> : null}
    </div>
  )
}
