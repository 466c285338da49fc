import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SecurityPolicy } from '../../../../src/api/gateway.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button, buttonClass } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { count } from '../../parts/text.ts'
import { Window } from '../../parts/dialog.tsx'
import { Read } from '../../parts/listing.tsx'
import { Notice } from '../../parts/states.tsx'
import { Facts, Moment, Section, Toolbar } from '../../parts/page.tsx'
import { holds, identityQuery } from '../../session.ts'
import { GroupsSection } from './groups-section.tsx'
import { PositiveSection } from './positive/positive-section.tsx'
import { PresetsForm } from './presets-form.tsx'
import { type EnvironmentAt, policyQuery } from './queries.ts'
import { endingSoon, enforcedNames, enforcedTones, modeNames, tierDetail, tierNames } from './words.ts'

const rateWords = ({ rate }: SecurityPolicy['presets']): string =>
  rate === null
    ? 'none'
    : `${count(rate.limit, 'request', 'requests')} in ${count(rate.windowSeconds, 'second', 'seconds')} for each ${
        (rate.key ?? 'ip') === 'ip' ? 'address' : `value of ${rate.key}`
      }`

const challengeWords = ({ challenge }: SecurityPolicy['presets']): string =>
  challenge === null ? 'none' : `${challenge.kind}, remembered for ${count(challenge.passMinutes, 'minute', 'minutes')}`

const PresetsCard = ({ presets }: { presets: SecurityPolicy['presets'] }) => {
  const { tier, levels, bot, reasons } = presets
  return (
    <div className="card grid gap-3 p-4">
      <Facts
        facts={[
          ['Tier', `${tierNames[tier]}. ${tierDetail(tier)}`],
          [
            'Levels',
            tier === 'off'
              ? null
              : `rules of level ${levels.blocking} count, those up to level ${levels.detection} report, refused at a score of ${levels.threshold}`,
          ],
          ['Bots', modeNames[bot]],
          ['Rate limit', rateWords(presets)],
          ['Challenge', challengeWords(presets)],
          ...Object.entries(reasons).map(([name, reason]) => [`Reason (${name})`, reason] as const),
        ]}
      />
    </div>
  )
}

/** What has to be looked at: approvals and a release that wait, exceptions that end. */
const Attention = ({ at, policy }: { at: EnvironmentAt; policy: SecurityPolicy }) => {
  const pending = policy.pendingApprovals
  const ending = endingSoon(policy)
  return (
    <>
      {pending.length === 0 ? null : (
        <Notice
          tone="warn"
          title={count(pending.length, 'change waits for approval', 'changes wait for approval')}
          actions={
            <Link to="/t/$tenant/-/gateway/$environment/approvals" params={at} className={buttonClass('plain')}>
              See the approvals
            </Link>
          }
        >
          <ul>
            {pending.map((it) => (
              <li key={it.id}>
                {it.summary.join(' ')} Requested by {it.requestedBy.name}, until <Moment at={it.expiresAt} exact />.
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {policy.releases.staged === null ? null : (
        <Notice
          tone="info"
          title="A release waits"
          actions={
            <Link to="/t/$tenant/-/gateway/$environment/releases" params={at} className={buttonClass('plain')}>
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
            <Link to="/t/$tenant/-/gateway/$environment/exceptions" params={at} className={buttonClass('plain')}>
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
const Enforcement = ({ enforces }: Pick<SecurityPolicy, 'enforces'>) => (
  <Section
    title="Enforcement"
    description="A setting counts as enforced only when a gateway has confirmed it. Until then its effect is unknown."
  >
    <ul className="card divide-y" aria-label="Enforcement">
      {alike(enforces).map((settings) => {
        const [first] = settings
        if (first === undefined) return null
        return (
          <li key={first.setting} className="grid gap-1 px-4 py-2.5 text-sm">
            <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
              <Badge tone={enforcedTones[first.state]}>{enforcedNames[first.state]}</Badge>
              <span>{count(settings.length, 'setting', 'settings')}</span>
              <span className="min-w-0 text-soft">
                {[first.engine, first.reason].filter((it) => it !== null && it !== '').join(': ')}
              </span>
            </p>
            <p className="font-mono text-xs wrap-anywhere text-soft">{settings.map((it) => it.setting).join(', ')}</p>
          </li>
        )
      })}
    </ul>
  </Section>
)

/** The policy of an environment at a glance. */
export const OverviewView = ({ at }: { at: EnvironmentAt }) => {
  const policy = useQuery(policyQuery(at))
  const identity = useQuery(identityQuery)
  const { dialog, open, close } = useAddress()
  const may = holds(identity.data, at.tenant, 'security:edit')
  return (
    <Read query={policy} what="the policy">
      {(entry) => (
        <>
          <Attention at={at} policy={entry} />
          <Toolbar>
            <CommandHint command={svcCommand(at.tenant, ['gateway', 'policy', 'show', at.environment])} />
          </Toolbar>
          <Section
            title="Policy"
            description={`${count(entry.rules.length, 'custom rule', 'custom rules')}, ${count(entry.exceptions.length, 'active exception', 'active exceptions')}; risky changes ${entry.approvals.required ? `need ${count(entry.approvals.approversMin, 'other person', 'other people')}` : 'need no approval'}.`}
            actions={
              may ? (
                <Button look="primary" onClick={() => open('presets')}>
                  Change …
                </Button>
              ) : null
            }
          >
            <PresetsCard presets={entry.presets} />
            <Window open={dialog === 'presets' && may} onClose={close} title="Tier and presets">
              <PresetsForm at={at} version={entry.policyVersion} of={entry.presets} onClose={close} />
            </Window>
          </Section>
          <Enforcement enforces={entry.enforces} />
          <GroupsSection at={at} policy={entry} />
          <PositiveSection at={at} policy={entry} />
        </>
      )}
    </Read>
  )
}
