import type { ReactNode } from 'react'
import { documentation } from '../../parts/documentation.ts'
import { useTitle } from '../../parts/page.tsx'
import { buttonClass } from '../../parts/button.tsx'

/** The frame of the pages for people who are not signed in. */
export const Entrance = ({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) => {
  useTitle(title)
  return (
    <main className="mx-auto grid min-h-screen w-full max-w-md content-center gap-6 px-4 py-10">
      <p className="text-3xl font-bold tracking-tight text-accent">svc</p>
      <div className="card grid gap-5 p-6">
        <div className="grid gap-1">
          <h1 className="text-xl font-semibold">{title}</h1>
          {lead ? <div className="text-soft">{lead}</div> : null}
        </div>
        {children}
      </div>
      <p className="text-center text-sm">
        <a className="link" href={documentation.start}>
          Documentation
        </a>
      </p>
    </main>
  )
}

/** Only a path of this application may be gone to after signing in: anything else would be an open redirect. */
export const inside = (to: string | null): string => (to !== null && /^\/(?!\/|\\)/.test(to) ? to : '/')

/** Signing in at the configured issuer. A page of the issuer follows, so it is a link and no call. */
export const IssuerLink = ({
  name,
  start,
  to,
  back = null,
}: {
  name: string
  start: string
  to: string | null
  /** A page outside of the application that is gone to instead. */
  back?: string | null
}) => {
  const address = new URL(start, location.origin)
  address.searchParams.set('return_to', back ?? `/app${inside(to)}`)
  return (
    <a href={address.pathname + address.search} className={buttonClass()}>
      Sign in with {name}
    </a>
  )
}
