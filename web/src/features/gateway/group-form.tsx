import { useState } from 'react'
import type { ManagedGroup } from '../../../../src/api/gateway-shapes.ts'
import { gatewayApi } from '../../../../src/api/gateway.ts'
import { groupModes, type GroupMode } from '../../../../src/gateway/policy/catalogue.ts'
import { call } from '../../call.ts'
import { RadioField, TextField } from '../../parts/form.tsx'
import { type EnvironmentAt, environmentInput } from './queries.ts'
import { modeNames } from './words.ts'
import { WriteForm } from './write-form.tsx'

const details: Readonly<Record<GroupMode, string>> = {
  block: 'Its findings count: a request whose score reaches the threshold is refused.',
  challenge: 'Who sends the request has to show that they are a person.',
  log: 'It reports and refuses nothing.',
  off: 'It does not look at requests.',
}

/** The mode of a managed group, with its reason. */
export const GroupForm = ({
  at,
  version,
  of: it,
  onClose,
}: {
  at: EnvironmentAt
  version: number
  of: ManagedGroup
  onClose: () => void
}) => {
  const [mode, setMode] = useState<GroupMode | 'default'>(it.mode ?? 'default')
  const [reason, setReason] = useState(it.reason ?? '')
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
          params: { environment_id: at.environment, group_id: it.id },
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
            name: `Catalogue default (${modeNames[it.catalogDefault].toLowerCase()})`,
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
