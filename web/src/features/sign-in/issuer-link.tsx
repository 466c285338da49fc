import { buttonClass } from '../../parts/button.tsx'

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
