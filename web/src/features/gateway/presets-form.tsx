import { useState } from 'react'
import type { PresetsUpdate } from '../../../../src/api/gateway-shapes.ts'
import { gatewayApi, type SecurityPolicy } from '../../../../src/api/gateway.ts'
import { type GroupMode, groupModes, type TierId, tierIds, tiers } from '../../../../src/gateway-policy/door.ts'
import { call } from '../../call.ts'
import { Field, RadioField, SelectField, TextField } from '../../parts/form.tsx'
import { type EnvironmentAt, environmentInput } from './queries.ts'
import { modeNames, tierDetail, tierNames } from './words.ts'
import { WriteForm } from './write-form.tsx'

type Presets = SecurityPolicy['presets']

const none = '' as const

/** The presets as the fields of a form hold them; an empty text is "none" or "as the tier has it". */
const textsOf = ({ tier, bot, paranoia, threshold, rate, challenge }: Presets) => ({
  tier,
  bot,
  paranoia: String(paranoia ?? ''),
  threshold: String(threshold ?? ''),
  limit: String(rate?.limit ?? ''),
  seconds: String(rate?.windowSeconds ?? ''),
  key: rate?.key ?? 'ip',
  challenge: challenge?.kind ?? none,
  minutes: String(challenge?.passMinutes ?? ''),
})
type Texts = ReturnType<typeof textsOf>

const orNull = (text: string): number | null => (text === '' ? null : Number(text))

/** What differs from the presets as they are: what is left out keeps its value. */
const changesOf = (before: Texts, now: Texts): PresetsUpdate => {
  const differs = (...names: readonly (keyof Texts)[]): boolean => names.some((it) => before[it] !== now[it])
  return {
    ...(differs('tier') ? { tier: now.tier } : {}),
    ...(differs('bot') ? { bot: now.bot } : {}),
    ...(differs('paranoia') ? { paranoia: orNull(now.paranoia) } : {}),
    ...(differs('threshold') ? { threshold: orNull(now.threshold) } : {}),
    ...(differs('limit', 'seconds', 'key')
      ? {
          rate:
            now.limit === ''
              ? null
              : { limit: Number(now.limit), windowSeconds: Number(now.seconds || 60), key: now.key },
        }
      : {}),
    ...(differs('challenge', 'minutes')
      ? {
          challenge: now.challenge === '' ? null : { kind: now.challenge, passMinutes: Number(now.minutes || 30) },
        }
      : {}),
  }
}

type NumberName = 'threshold' | 'limit' | 'seconds' | 'key' | 'minutes'

interface Fields {
  readonly now: Texts
  readonly set: (changed: Partial<Texts>) => void
}

/** The value of a field and what changes it. */
const bound = ({ now, set }: Fields, name: NumberName) => ({
  value: now[name],
  onChange: (event: { readonly target: { readonly value: string } }) => set({ [name]: event.target.value }),
})

const levels = ['', '1', '2', '3', '4'] as const

/** Levels and the rate limit; what is left empty is as the tier has it. */
const LimitFields = (fields: Fields) => {
  const { now, set } = fields
  const base = tiers[now.tier]
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        label="Paranoia level"
        value={now.paranoia}
        options={levels.map((value) => ({
          value: value as string,
          name: value === '' ? `As the tier has it (${base.blockingLevel})` : value,
        }))}
        onChange={(paranoia) => set({ paranoia })}
      />
      <Field
        label="Threshold"
        type="number"
        min={1}
        max={100}
        placeholder={`as the tier has it (${base.threshold})`}
        {...bound(fields, 'threshold')}
      />
      <Field
        label="Rate limit (requests)"
        type="number"
        min={1}
        max={1_000_000}
        placeholder="none"
        {...bound(fields, 'limit')}
      />
      <Field label="in seconds" type="number" min={1} max={3600} placeholder="60" {...bound(fields, 'seconds')} />
      <Field label="counted by" hint="ip, or header:NAME." required {...bound(fields, 'key')} />
    </div>
  )
}

const ChallengeFields = (fields: Fields) => {
  const { now, set } = fields
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField<Texts['challenge']>
        label="Challenge"
        value={now.challenge}
        options={[
          { value: '', name: 'None' },
          { value: 'managed', name: 'Managed' },
          { value: 'interactive', name: 'Interactive' },
        ]}
        onChange={(challenge) => set({ challenge })}
      />
      <Field
        label="Remembered for (minutes)"
        type="number"
        min={1}
        max={1440}
        placeholder="30"
        disabled={now.challenge === ''}
        {...bound(fields, 'minutes')}
      />
    </div>
  )
}

/** Tier, levels, bots, rate limit and challenge, with a reason. */
export const PresetsForm = ({
  at,
  version,
  of: presets,
  onClose,
}: {
  at: EnvironmentAt
  version: number
  of: Presets
  onClose: () => void
}) => {
  const [before] = useState(() => textsOf(presets))
  const [now, setNow] = useState(before)
  const [reason, setReason] = useState('')
  const set = (changed: Partial<Texts>): void => setNow((it) => ({ ...it, ...changed }))
  return (
    <WriteForm
      at={at}
      version={version}
      given={JSON.stringify([now, reason])}
      onClose={onClose}
      send={(controls) =>
        call(gatewayApi.setPresets, {
          ...environmentInput(at),
          body: { ...changesOf(before, now), ...(reason.trim() === '' ? {} : { reason: reason.trim() }), ...controls },
        })
      }
    >
      <RadioField<TierId>
        legend="Tier"
        value={now.tier}
        options={tierIds.map((value) => ({ value, name: tierNames[value], detail: tierDetail(value) }))}
        onChange={(tier) => set({ tier })}
      />
      <SelectField<GroupMode>
        label="Bots"
        value={now.bot}
        options={groupModes.map((value) => ({ value, name: modeNames[value] }))}
        onChange={(bot) => set({ bot })}
      />
      <LimitFields now={now} set={set} />
      <ChallengeFields now={now} set={set} />
      <TextField
        label={now.tier === 'off' && before.tier !== 'off' ? 'Reason' : 'Reason (optional)'}
        hint="Kept with what changes, and in the audit trail."
        required={now.tier === 'off' && before.tier !== 'off'}
        maxLength={1000}
        rows={2}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </WriteForm>
  )
}
