import { useState } from 'react'
import {
  type DigestSchedule,
  frequencies,
  type NotificationTarget,
  weekdays,
} from '../../../../src/api/notification-targets.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Field, SelectField } from '../../parts/form.tsx'
import { Moment, Section } from '../../parts/page.tsx'
import { capitalized } from '../../parts/text.ts'
import { saying, tryTarget, updateTarget } from './target-queries.ts'

const frequencyNames: Readonly<Record<DigestSchedule['frequency'], string>> = {
  at_once: 'At once',
  hourly: 'Every hour',
  daily: 'Every day',
  weekly: 'Every week',
}

const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** How sending there goes: off and why, or the last result. */
export const TargetState = ({ target }: { target: NotificationTarget }) => {
  const { active, stopped, confirmed, last_at: at, last_error: error } = target
  if (stopped !== null)
    return (
      <span className="min-w-0 wrap-anywhere">
        <Badge tone="danger">stopped</Badge> <span className="text-sm text-soft">{stopped}</span>
      </span>
    )
  if (!active) return <Badge tone="warn">off</Badge>
  if (confirmed === false) return <Badge tone="warn">not confirmed</Badge>
  if (error !== null)
    return (
      <span className="min-w-0 wrap-anywhere">
        <Badge tone="warn">failed</Badge>{' '}
        <span className="text-sm text-soft">
          {error}, {at === null ? null : <Moment at={at} />}
        </span>
      </span>
    )
  return (
    <span>
      <Badge tone="ok">on</Badge>
      {at === null ? null : (
        <span className="text-sm text-soft">
          {' '}
          sent <Moment at={at} />
        </span>
      )}
    </span>
  )
}

const Times = ({ tenant, schedule }: { tenant: string; schedule: DigestSchedule }) => {
  const [at, setAt] = useState(schedule.at)
  const save = (change: Partial<DigestSchedule>): void =>
    void saying(() => updateTarget(tenant, 'email', { time_zone: ownZone(), ...change }))
  const isTimed = schedule.frequency === 'daily' || schedule.frequency === 'weekly'
  return (
    <div className="flex flex-wrap items-end gap-3">
      <SelectField
        label="Send"
        value={schedule.frequency}
        options={frequencies.map((value) => ({ value, name: frequencyNames[value] }))}
        onChange={(frequency) => save({ frequency })}
      />
      {schedule.frequency === 'weekly' ? (
        <SelectField
          label="On"
          value={schedule.weekday}
          options={weekdays.map((value) => ({ value, name: capitalized(value) }))}
          onChange={(weekday) => save({ weekday })}
        />
      ) : null}
      {isTimed ? (
        <Field
          label="At"
          type="time"
          required
          value={at}
          onChange={(event) => {
            setAt(event.target.value)
            if (/^\d\d:\d\d$/.test(event.target.value)) save({ at: event.target.value })
          }}
        />
      ) : null}
      {isTimed ? <span className="pb-2 text-sm text-soft">{schedule.time_zone}</span> : null}
    </div>
  )
}

/** E-mail: where it goes, how often, and how it goes. */
export const MailSection = ({
  tenant,
  target,
  available,
}: {
  tenant: string
  target: NotificationTarget
  available: boolean
}) => (
  <Section
    title="E-mail"
    anchor="e-mail"
    description="What you read in the bell before is left out. Each e-mail has a link that stops it."
  >
    {available && target.schedule !== null ? (
      <div className="card grid gap-4 p-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
            <span className="font-medium wrap-anywhere">{target.address}</span>
            <TargetState target={target} />
          </p>
          <span className="flex flex-wrap gap-2">
            <Button onClick={() => void tryTarget(tenant, target)}>
              {target.confirmed === false ? 'Send the link to confirm it' : 'Send a test message'}
            </Button>
            <Button onClick={() => void saying(() => updateTarget(tenant, 'email', { active: !target.active }))}>
              {target.active ? 'Switch off' : 'Switch on'}
            </Button>
          </span>
        </div>
        {target.confirmed === false ? (
          <p className="text-sm text-soft">
            Nobody confirmed that this address is yours. News are sent there once you opened the link in an e-mail.
          </p>
        ) : null}
        <Times tenant={tenant} schedule={target.schedule} />
      </div>
    ) : (
      <p className="card p-4 text-sm text-soft">
        This installation sends no e-mail: an operator sets <code className="font-mono">SVC_SMTP_URL</code>.
      </p>
    )}
  </Section>
)
