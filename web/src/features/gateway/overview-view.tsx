import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SecurityPolicy } from '../../../../src/api/gateway.ts'
import { Badge } from '../../parts/badge.tsx'
import { buttonClass } from '../../parts/button.tsx'
import { Read } from '../../parts/listing.tsx'
import { Moment, Section } from '../../parts/page.tsx'
import { Notice } from '../../parts/states.tsx'
import { count } from '../../parts/text.ts'
import { WaitingApprovals } from './approvals-view.tsx'
import { EventsChart } from './events/chart.tsx'
import { type EnvironmentAt, policyQuery } from './queries.ts'
import { settingWords } from './setting-words.ts'
import { endingSoon, enforcedNames, enforcedTones } from './words.ts'

/** What has to be looked at beside approvals: a release that waits, exceptions that end. */
const Attention = ({ at, policy }: { at: EnvironmentAt; policy: SecurityPolicy }) => {
  const ending = endingSoon(policy)
  return (
    <>
      {policy.releases.staged === null ? null : (
        <Notice
          tone="info"
          title="A release waits"
          actions={
            <Link to="/t/$tenant/-/gateway/$environment/delivery/releases" params={at} className={buttonClass('plain')}>
              See the releases
            </Link>
          }
        >
          <p>
            A newer svc compiles this policy otherwise. Gateways keep what they have until someone takes the release.
          </p>
        </Notice>
      )}
      {ending.length === 0 ? null : (
        <Notice
          tone="info"
          title={`${count(ending.length, 'exception ends', 'exceptions end')} within 7 days`}
          actions={
            <Link to="/t/$tenant/-/gateway/$environment/policy/exceptions" params={at} className={buttonClass('plain')}>
              See the exceptions
            </Link>
          }
        >
          <ul>
            {ending.map((it) => (
              <li key={it.id}>
                {it.scope.route ?? it.scope.path ?? 'Any path'}, until <Moment at={it.expiresAt} exact />: {it.reason}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  )
}

type Enforced = SecurityPolicy['enforces'][number]

/** Settings of which the same is known, together. */
const alike = (enforces: readonly Enforced[]): readonly (readonly Enforced[])[] => [
  ...Map.groupBy(enforces, ({ state, engine, reason }) => JSON.stringify([state, engine, reason])).values(),
]

/** What gateways say that they do; what none confirmed is never shown as done. */
const Enforcement = ({ policy }: { policy: SecurityPolicy }) => (
  <Section
    title="Enforcement"
    description="A setting counts as enforced only when a gateway has confirmed it. Until then its effect is unknown."
  >
    <ul className="card divide-y" aria-label="Enforcement">
      {alike(policy.enforces).map((settings) => {
        const [first] = settings
        if (first === undefined) return null
        return (
          <li key={first.setting} className="grid gap-1 px-4 py-2.5 text-sm">
            <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
              <span>
                {count(settings.length, 'setting is', 'settings are')}{' '}
                <Badge tone={enforcedTones[first.state]}>{enforcedNames[first.state]}</Badge>
              </span>
              <span className="min-w-0 text-soft">
                {[first.engine, first.reason].filter((it) => it !== null && it !== '').join(': ')}
              </span>
            </p>
            <details>
              <summary className="cursor-pointer text-xs text-soft">
                Which {settings.length === 1 ? 'setting' : 'settings'}
              </summary>
              <p className="mt-1 text-xs wrap-anywhere text-soft">
                {settings.map(({ setting }) => settingWords(setting, policy)).join(', ')}
              </p>
            </details>
          </li>
        )
      })}
    </ul>
  </Section>
)

/** An environment at a glance: what waits for a decision, its traffic, and what gateways do. */
export const OverviewView = ({ at }: { at: EnvironmentAt }) => {
  const policy = useQuery(policyQuery(at))
  return (
    <Read query={policy} what="the policy">
      {(entry) => (
        <>
          <WaitingApprovals at={at} approvals={entry.pendingApprovals} />
          <Attention at={at} policy={entry} />
          <EventsChart at={at} />
          <Enforcement policy={entry} />
        </>
      )}
    </Read>
  )
}
