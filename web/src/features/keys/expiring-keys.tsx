import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { count } from '../../parts/text.ts'
import { Moment } from '../../parts/page.tsx'
import { holds, identityQuery } from '../../session.ts'
import { expiringKeysQuery } from './queries.ts'

/** The keys that expire within 14 days, for members who can replace them; nothing without such keys. */
export const ExpiringKeys = ({ tenant }: { tenant: string }) => {
  const identity = useQuery(identityQuery)
  const keys = useQuery({
    ...expiringKeysQuery(tenant),
    enabled: holds(identity.data, tenant, 'api_keys:create'),
  })
  const expiring = keys.data ?? []
  if (expiring.length === 0) return null
  return (
    <div
      role="status"
      className="card flex flex-wrap items-baseline gap-x-5 gap-y-1 border-transparent bg-warn-wash px-4 py-2.5 text-sm text-warn"
    >
      <p className="font-medium">
        {count(expiring.length, 'key expires', 'keys expire')} within 14 days. Rotate{' '}
        {expiring.length === 1 ? 'it' : 'them'} in time.
      </p>
      <ul className="flex flex-wrap gap-x-5">
        {expiring.map((key) => (
          <li key={key.id}>
            <Link
              to="/t/$tenant/-/keys"
              params={{ tenant }}
              search={{ dialog: 'rotate', item: key.id }}
              className="underline"
            >
              Rotate {key.name}
            </Link>
            {key.expires_at ? (
              <>
                , expires <Moment at={key.expires_at} />
              </>
            ) : null}
          </li>
        ))}
      </ul>
    </div>
  )
}
