import { useQuery } from '@tanstack/react-query'
import type { ManagedGroup } from '../../../../src/api/gateway-shapes.ts'
import { gatewayApi, type SecurityPolicy } from '../../../../src/api/gateway.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { count } from '../../parts/text.ts'
import { Window } from '../../parts/dialog.tsx'
import { Section } from '../../parts/page.tsx'
import { holds, identityQuery } from '../../session.ts'
import { type EnvironmentAt, environmentInput } from './queries.ts'
import { enforcedNames, enforcedTones, modeNames, modeTones } from './words.ts'
import { useState } from 'react'
import { type GroupMode, groupModes } from '../../../../src/gateway-policy/door.ts'
import { call } from '../../call.ts'
import { RadioField, TextField } from '../../parts/form.tsx'
import { WriteForm } from './write-form.tsx'

const details: Readonly<Record<GroupMode, string>> = {
  block: 'Its findings count: a request whose score reaches the threshold is refused.',
  challenge: 'The sender of the request has to prove that they are a person.',
  log: 'It reports findings and refuses nothing.',
  off: 'It does not check requests.',
}

/** The mode of a managed group, with its reason. */
const GroupForm = ({
  at,
  version,
  of: group,
  onClose,
}: {
  at: EnvironmentAt
  version: number
  of: ManagedGroup
  onClose: () => void
}) => {
  const [mode, setMode] = useState<GroupMode | 'default'>(group.mode ?? 'default')
  const [reason, setReason] = useState(group.reason ?? '')
  const isWeak = mode === 'off' || mode === 'log'
  return (
    <WriteForm
      at={at}
      version={version}
      given={JSON.stringify([mode, reason])}
      onClose={onClose}
      send={(controls) =>
        call(gatewayApi.setManagedGroup, {
          ...environmentInput(at),
          params: { environment_id: at.environment, group_id: group.id },
          body: {
            mode: mode === 'default' ? null : mode,
            ...(mode === 'default' || reason.trim() === '' ? {} : { reason: reason.trim() }),
            ...controls,
          },
        })
      }
    >
      <RadioField
        legend="Mode"
        value={mode}
        options={[
          {
            value: 'default' as const,
            name: `Catalogue default (${modeNames[group.catalogDefault].toLowerCase()})`,
            detail: 'It follows the tier.',
          },
          ...[...groupModes].reverse().map((value) => ({ value, name: modeNames[value], detail: details[value] })),
        ]}
        onChange={setMode}
      />
      {mode === 'default' ? null : (
        <TextField
          label={isWeak ? 'Reason' : 'Reason (optional)'}
          hint="Shown wherever the group is shown, and kept in the audit trail."
          required={isWeak}
          maxLength={1000}
          rows={2}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      )}
    </WriteForm>
  )
}

type Enforced = SecurityPolicy['enforces'][number]

const GroupRow = ({
  group,
  enforced,
  onChange,
}: {
  group: ManagedGroup
  enforced: Enforced | undefined
  onChange: (() => void) | null
}) => (
  <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2.5">
    <div className="grid min-w-0 flex-1 basis-72 gap-0.5">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium">{group.title}</span>
        <Badge tone={modeTones[group.effective]}>{modeNames[group.effective]}</Badge>
        {group.effective === group.catalogDefault ? null : (
          <span className="text-xs text-soft">default: {modeNames[group.catalogDefault]}</span>
        )}
        {group.effective === 'off' || enforced === undefined || enforced.state === 'unknown' ? null : (
          <Badge tone={enforcedTones[enforced.state]}>{enforcedNames[enforced.state]}</Badge>
        )}
        {group.hits24h === 0 ? null : (
          <span className="text-xs text-soft">{count(group.hits24h, 'request', 'requests')} in 24 hours</span>
        )}
      </p>
      <p className="text-sm wrap-anywhere text-soft">
        Finds {group.detects}. {group.because}
      </p>
    </div>
    {onChange === null ? null : (
      <Button onClick={onChange} aria-label={`Change ${group.title}`}>
        Change …
      </Button>
    )}
  </li>
)

const strengths = ['unknown', 'not-enforced', 'unproven', 'approximated', 'enforced'] as const

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
      description="Rules of the OWASP Core Rule Set by attack type. Shows the mode of the policy, and what gateways do where they confirmed it; the overview counts what none confirmed."
    >
      <ul className="card divide-y" aria-label="Managed groups">
        {groups.map((group) => (
          <GroupRow
            key={group.id}
            group={group}
            enforced={weakest(enforces.filter(({ setting }) => setting === `groups/${group.id}`))}
            onChange={may ? () => open('group', group.id) : null}
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
