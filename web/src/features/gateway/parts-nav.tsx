import { Link, Outlet } from '@tanstack/react-router'
import type { EnvironmentAt } from './queries.ts'

const base = '/t/$tenant/-/gateway/$environment'

/** The pages below one tab of an environment. */
const Parts = ({
  at,
  label,
  parts,
}: {
  at: EnvironmentAt
  label: string
  /** The first one is the page of the tab itself. */
  parts: readonly (readonly [path: string, name: string])[]
}) => (
  <>
    <nav aria-label={label} className="flex flex-wrap gap-1.5">
      {parts.map(([path, name], index) => (
        <Link
          key={path}
          to={`${base}${path}` as '/t/$tenant/-/gateway/$environment/policy'}
          params={{ ...at }}
          activeOptions={{ exact: index === 0, includeSearch: false }}
          activeProps={{ className: 'border-ink bg-wash text-ink', 'aria-current': 'page' }}
          inactiveProps={{ className: 'text-soft hover:text-ink' }}
          className="rounded-md border px-2.5 py-1 text-sm font-medium whitespace-nowrap"
        >
          {name}
        </Link>
      ))}
    </nav>
    <Outlet />
  </>
)

export const PolicyParts = ({ at }: { at: EnvironmentAt }) => (
  <Parts
    at={at}
    label="Parts of the policy"
    parts={[
      ['/policy', 'Settings'],
      ['/policy/rules', 'Rules'],
      ['/policy/exceptions', 'Exceptions'],
      ['/policy/versions', 'Versions'],
    ]}
  />
)

export const TrafficParts = ({ at }: { at: EnvironmentAt }) => (
  <Parts
    at={at}
    label="Parts of the traffic"
    parts={[
      ['/traffic', 'Events'],
      ['/traffic/coverage', 'Coverage'],
    ]}
  />
)

export const DeliveryParts = ({ at }: { at: EnvironmentAt }) => (
  <Parts
    at={at}
    label="Parts of the delivery"
    parts={[
      ['/delivery', 'Gateways'],
      ['/delivery/releases', 'Releases'],
    ]}
  />
)

export const HistoryParts = ({ at }: { at: EnvironmentAt }) => (
  <Parts
    at={at}
    label="Parts of the history"
    parts={[
      ['/history', 'Audit trail'],
      ['/history/approvals', 'Approvals'],
    ]}
  />
)
