import { useQuery } from '@tanstack/react-query'
import type { ManagedGroup } from '../../../../src/api/gateway-shapes.ts'
import { gatewayApi, type SecurityPolicy } from '../../../../src/api/gateway.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { count } from '../../parts/text.ts'
import { Window } from '../../parts/dialog.tsx'
import { List, Row } from '../../parts/list.tsx'
import { Menu, MenuItem } from '../../parts/menu.tsx'
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
  <Row>
    <span className="relative truncate font-medium max-md:w-full" title={`Finds ${group.detects}. ${group.because}`}>
      {group.title}
      <span className="sr-only">
        . Finds {group.detects}. {group.because}
      </span>
    </span>
    <Badge tone={modeTones[group.effective]}>{modeNames[group.effective]}</Badge>
    <span className="truncate text-soft">
      <span className="md:hidden">default: </span>
      {modeNames[group.catalogDefault]}
    </span>
    <span>
      {group.effective === 'off' || enforced === undefined || enforced.state === 'unknown' ? null : (
        <Badge tone={enforcedTones[enforced.state]}>{enforcedNames[enforced.state]}</Badge>
      )}
    </span>
    <span className="truncate text-soft">
      {group.hits24h === 0 ? 'none' : count(group.hits24h, 'request', 'requests')}
    </span>
    <span className="flex justify-end max-md:absolute max-md:top-1 max-md:right-2">
      {onChange === null ? null : (
        <Menu align="end" label={<span className="sr-only">Actions for {group.title}</span>}>
          <MenuItem onClick={onChange}>Change the mode …</MenuItem>
        </Menu>
      )}
    </span>
  </Row>
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
      <List
        label="Managed groups"
        columns="minmax(0,2fr) minmax(0,1fr) minmax(0,1fr) minmax(0,1fr) 9rem 2.5rem"
        heads={['Group', 'Now', 'Default', 'Gateways', 'Met in 24 hours']}
      >
        {groups.map((group) => (
          <GroupRow
            key={group.id}
            group={group}
            enforced={weakest(enforces.filter(({ setting }) => setting === `groups/${group.id}`))}
            onChange={may ? () => open('group', group.id) : null}
          />
        ))}
      </List>
      {chosen === undefined ? null : (
        <Window open={dialog === 'group' && may} onClose={close} title={`Mode of ${chosen.title}`}>
          <GroupForm at={at} version={policyVersion} of={chosen} onClose={close} />
        </Window>
      )}
    </Section>
  )
}
