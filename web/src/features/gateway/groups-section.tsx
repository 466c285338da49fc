import { useQuery } from '@tanstack/react-query'
import type { ManagedGroup } from '../../../../src/api/gateway-shapes.ts'
import type { SecurityPolicy } from '../../../../src/api/gateway.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { count } from '../../parts/count.ts'
import { Window } from '../../parts/dialog.tsx'
import { Section } from '../../parts/page.tsx'
import { holds, identityQuery } from '../../session.ts'
import { GroupForm } from './group-form.tsx'
import type { EnvironmentAt } from './queries.ts'
import { enforcedNames, enforcedTones, modeNames, modeTones } from './words.ts'

type Enforced = SecurityPolicy['enforces'][number]

const GroupRow = ({
  it,
  enforced,
  onChange,
}: {
  it: ManagedGroup
  enforced: Enforced | undefined
  onChange: (() => void) | null
}) => (
  <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2.5">
    <div className="grid min-w-0 flex-1 basis-72 gap-0.5">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">{it.title}</span>
        <Badge tone={modeTones[it.effective]}>{modeNames[it.effective]}</Badge>
        {it.effective === it.catalogDefault ? null : (
          <span className="text-xs text-soft">default: {modeNames[it.catalogDefault]}</span>
        )}
        {it.effective === 'off' ? null : (
          <Badge tone={enforcedTones[enforced?.state ?? 'unknown']}>
            {enforcedNames[enforced?.state ?? 'unknown']}
          </Badge>
        )}
        {it.hits24h === 0 ? null : (
          <span className="text-xs text-soft">{count(it.hits24h, 'request', 'requests')} in 24 hours</span>
        )}
      </p>
      <p className="text-sm wrap-anywhere text-soft">
        Finds {it.detects}. {it.because}
      </p>
    </div>
    {onChange === null ? null : (
      <Button onClick={onChange} aria-label={`Change ${it.title}`}>
        Change …
      </Button>
    )}
  </li>
)

const strengths = ['unknown', 'not-enforced', 'approximated', 'enforced'] as const

/** What counts where several engines do different things. */
const weakest = (known: readonly Enforced[]): Enforced | undefined =>
  known.toSorted((a, b) => strengths.indexOf(a.state) - strengths.indexOf(b.state))[0]

/** The managed groups with what each does now, and why. */
export const GroupsSection = ({ at, policy }: { at: EnvironmentAt; policy: SecurityPolicy }) => {
  const identity = useQuery(identityQuery)
  const { dialog, item, open, close } = useAddress()
  const may = holds(identity.data, at.tenant, 'security:edit')
  const { managedGroups: groups, enforces, policyVersion } = policy
  const chosen = groups.find(({ id }) => id === item)
  return (
    <Section
      title="Managed groups"
      description="Rules of the OWASP Core Rule Set by attack type. Shows the mode of the policy, and the mode that gateways confirmed."
    >
      <ul className="card divide-y" aria-label="Managed groups">
        {groups.map((it) => (
          <GroupRow
            key={it.id}
            it={it}
            enforced={weakest(enforces.filter(({ setting }) => setting === `groups/${it.id}`))}
            onChange={may ? () => open('group', it.id) : null}
          />
        ))}
      </ul>
      {chosen === undefined ? null : (
        <Window open={dialog === 'group' && may} onClose={close} title={`Mode of ${chosen.title}`}>
          <GroupForm at={at} version={policyVersion} of={chosen} onClose={close} />
        </Window>
      )}
    </Section>
  )
}
