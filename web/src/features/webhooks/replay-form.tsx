import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Subscription, webhooksApi } from '../../../../src/api/webhooks.ts'
import { call } from '../../call.ts'
import { count } from '../../parts/text.ts'
import { Field, Form, SelectField, useForm } from '../../parts/form.tsx'
import { Button } from '../../parts/button.tsx'
import { refreshWebhooks, replayCountQuery, type ReplayRange } from './queries.ts'
import { instantOf, localOf } from '../../parts/time.ts'
import { nameOf } from './words.ts'

const keptDays = 30
const dayMs = 24 * 3_600_000
const deliveries = (n: number): string => count(n, 'delivery', 'deliveries')

/** Null while the first time is not complete. */
const rangeOf = (given: { subscription: string; since: string; until: string }): ReplayRange | null => {
  const since = instantOf(given.since)
  return since === null
    ? null
    : { since, until: instantOf(given.until), subscription_id: given.subscription === '' ? null : given.subscription }
}

const Done = ({ sent, remaining, onClose }: { sent: number; remaining: number; onClose: () => void }) => (
  <div className="grid gap-4">
    <p role="status">
      {deliveries(sent)} will be sent now.
      {remaining > 0 ? ` ${remaining.toLocaleString()} more are left: send again for the rest.` : ''}
    </p>
    <div>
      <Button look="primary" onClick={onClose}>
        Done
      </Button>
    </div>
  </div>
)

const countWords = (data: { replayed: number; remaining: number } | undefined, error: unknown): string => {
  if (data === undefined) return error instanceof Error ? error.message : 'Counting …'
  const { replayed, remaining } = data
  if (replayed + remaining === 0) return 'Nothing was missed in this time.'
  return `${deliveries(replayed + remaining)} would be sent again${remaining > 0 ? `, ${replayed.toLocaleString()} at once` : ''}.`
}

/** How many deliveries a range has: counted by the service before anything is sent. */
const Count = ({
  query: { data, error },
}: {
  query: { data: { replayed: number; remaining: number } | undefined; error: unknown }
}) => (
  <p role="status" className="text-sm text-soft">
    {countWords(data, error)}
  </p>
)

/** Sends dead letters, and what was missed while a subscription was off, again: after saying how many that are. */
export const ReplayForm = ({
  tenant,
  subscriptions,
  subscription,
  since,
  onClose,
}: {
  tenant: string
  /** Those to choose from; empty where it is about one. */
  subscriptions: readonly Subscription[]
  /** Id; empty for all that are on. */
  subscription: string
  /** A local time; empty for as long as deliveries are kept. */
  since: string
  onClose: () => void
}) => {
  const [done, setDone] = useState<{ replayed: number; remaining: number } | null>(null)
  const begin = { subscription, since: since === '' ? localOf(Date.now() - keptDays * dayMs) : since, until: '' }
  const form = useForm(begin, async (given) => {
    const range = rangeOf(given)
    if (range === null) return
    const body = { ...range, dry_run: false }
    setDone(await call(webhooksApi.replay, { params: { tenant_slug: tenant }, body }))
    await refreshWebhooks(tenant)
  })
  const range = rangeOf(form.values)
  const counted = useQuery({ ...replayCountQuery(tenant, range), enabled: range !== null })
  if (done) return <Done sent={done.replayed} remaining={done.remaining} onClose={onClose} />
  const ready = range === null ? 0 : (counted.data?.replayed ?? 0)
  return (
    <Form
      change={form}
      submit={ready > 0 ? `Send ${deliveries(ready)}` : 'Send again'}
      disabled={ready === 0}
      onCancel={onClose}
    >
      <p className="text-soft">
        Sends dead letters, and what was missed while a subscription was off. Each keeps its{' '}
        <code className="font-mono text-sm">webhook-id</code>, so that receivers recognize what they have.
      </p>
      {subscriptions.length > 0 ? (
        <SelectField
          label="Subscription"
          value={form.values.subscription}
          options={[
            { value: '', name: 'All active subscriptions' },
            ...subscriptions.filter((it) => it.active).map((it) => ({ value: it.id, name: nameOf(it) })),
          ]}
          onChange={(chosen) => form.set({ subscription: chosen })}
        />
      ) : null}
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Events from" type="datetime-local" required {...form.bind('since')} />
        <Field label="Until (optional)" type="datetime-local" {...form.bind('until')} />
      </div>
      {range === null ? null : <Count query={counted} />}
    </Form>
  )
}
