import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Output } from '../../../../src/api/endpoint.ts'
import { repositoriesApi } from '../../../../src/api/repositories.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { count } from '../../parts/text.ts'
import { Window } from '../../parts/dialog.tsx'
import { Field, Form, useForm } from '../../parts/form.tsx'
import { List, Row } from '../../parts/list.tsx'
import { Read } from '../../parts/listing.tsx'
import { Empty, Notice } from '../../parts/states.tsx'
import { Section } from '../../parts/page.tsx'
import { holds, identityQuery } from '../../session.ts'
import { hoursOf } from './hours.ts'
import { refreshRepositories } from '../git-providers/queries.ts'
import { pollingQuery } from './queries.ts'

type Telemetry = Output<typeof repositoriesApi.pollingTelemetry>

/** Sets how many polls an hour allows. */
const QuotaForm = ({ tenant, present, onClose }: { tenant: string; present: number; onClose: () => void }) => {
  const form = useForm({ pollsPerHour: String(present) }, async ({ pollsPerHour }) => {
    await call(repositoriesApi.setPollingQuota, {
      params: { tenant_slug: tenant },
      body: { pollsPerHour: Number(pollsPerHour) },
    })
    await refreshRepositories(tenant)
    onClose()
  })
  return (
    <Form change={form} submit="Save" onCancel={onClose}>
      <Field
        label="Polls per hour"
        type="number"
        min={0}
        max={1_000_000}
        step={1}
        required
        hint="Of all repositories together, within the plan. 0 means unlimited."
        {...form.bind('pollsPerHour')}
      />
    </Form>
  )
}

const Quota = ({ quota }: Pick<Telemetry, 'quota'>) => (
  <div className="card grid gap-2 p-4">
    <p className="flex flex-wrap items-baseline gap-x-2">
      <span className="text-2xl font-semibold tabular-nums">{quota.used.toLocaleString()}</span>
      <span className="text-soft">
        {quota.pollsPerHour === 0
          ? 'polls in the last 60 minutes, unlimited'
          : `of ${quota.pollsPerHour.toLocaleString()} polls in the last 60 minutes`}
      </span>
    </p>
    {quota.pollsPerHour === 0 ? null : (
      <progress
        className={`meter ${quota.remaining === 0 ? 'text-danger' : 'text-accent'}`}
        max={quota.pollsPerHour}
        value={quota.used}
        aria-label="Polls used"
      />
    )}
    <p className="text-sm text-soft">
      {quota.remaining === null ? '' : `${count(quota.remaining, 'poll', 'polls')} left. `}Plan {quota.plan}. Polling
      reads git itself and spends nothing of the limits of your provider.
    </p>
  </div>
)

const parts = [
  { key: 'unchanged', name: 'Without change', look: 'bg-edge' },
  { key: 'changed', name: 'Changed', look: 'bg-accent' },
  { key: 'failed', name: 'Failed', look: 'bg-danger' },
  { key: 'throttled', name: 'Postponed by the limit', look: 'bg-warn' },
] as const

/** The polls of each of the last 24 hours as bars; the table below has the same numbers. */
const Chart = ({ telemetry }: Pick<Telemetry, 'telemetry'>) => {
  const hours = hoursOf(telemetry.buckets, Date.now())
  const most = Math.max(1, ...hours.map((it) => it.total))
  const hourOf = (at: number): string =>
    new Date(at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
  return (
    <div className="card grid gap-3 p-4">
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-soft" aria-hidden="true">
        {parts.map(({ key, name, look }) => (
          <li key={key} className="inline-flex items-center gap-1.5">
            <span className={`size-2.5 rounded-sm ${look}`} />
            {name}
          </li>
        ))}
      </ul>
      <div className="flex h-32 items-end gap-0.5 sm:gap-1" aria-hidden="true">
        {hours.map((hour) => (
          <div
            key={hour.at}
            title={`${hourOf(hour.at)}: ${parts.map(({ key, name }) => `${name.toLowerCase()} ${hour[key]}`).join(', ')}`}
            className="flex h-full flex-1 flex-col-reverse overflow-hidden rounded-sm bg-raised"
          >
            {parts.map(({ key, look }) => (
              <div key={key} className={look} style={{ height: `${(hour[key] / most) * 100}%` }} />
            ))}
          </div>
        ))}
      </div>
      <p className="flex justify-between text-xs text-soft" aria-hidden="true">
        <span>{hourOf(hours[0]?.at ?? 0)}</span>
        <span>now</span>
      </p>
      <details className="text-sm">
        <summary className="w-fit cursor-pointer text-soft">Numbers of each hour</summary>
        <div className="mt-2 overflow-x-auto" tabIndex={0} role="region" aria-label="Polls of each hour">
          <table className="w-full text-left text-sm tabular-nums">
            <thead className="text-soft">
              <tr>
                <th className="py-1 pr-4 font-medium">Hour</th>
                {parts.map(({ key, name }) => (
                  <th key={key} className="py-1 pr-4 font-medium">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {hours
                .filter((it) => it.total > 0)
                .toReversed()
                .map((hour) => (
                  <tr key={hour.at} className="border-t">
                    <th className="py-1 pr-4 font-normal">{hourOf(hour.at)}</th>
                    {parts.map(({ key }) => (
                      <td key={key} className="py-1 pr-4">
                        {hour[key].toLocaleString()}
                      </td>
                    ))}
                  </tr>
                ))}
            </tbody>
          </table>
        </div>
      </details>
    </div>
  )
}

const Consumption = ({ tenant, telemetry }: { tenant: string } & Pick<Telemetry, 'telemetry'>) => (
  <List label="Polls by repository" columns="minmax(0,1fr) 8rem" heads={['Repository', 'Polls']}>
    {telemetry.byRepository.map((entry) => (
      <Row key={entry.repository_id}>
        <Link
          to="/t/$tenant/-/repositories/$repository"
          params={{ tenant, repository: entry.repository_id }}
          className="truncate after:absolute after:inset-0"
        >
          {entry.full_name}
        </Link>
        <span className="text-soft">{count(entry.polls, 'poll', 'polls')}</span>
      </Row>
    ))}
  </List>
)

/** How often repositories may be polled, how often they were, and what came of it. */
export const PollingView = ({ tenant }: { tenant: string }) => {
  const polling = useQuery(pollingQuery(tenant))
  const identity = useQuery(identityQuery)
  const { dialog, open, close } = useAddress()
  const may = holds(identity.data, tenant, 'repositories:edit')
  return (
    <Read query={polling} what="the polls">
      {({ quota, telemetry }) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          {quota.remaining === 0 ? (
            <Notice tone="warn" title="The polls of this hour are used up">
              <p>Changes are noticed later. Raise the limit, or create webhooks: deliveries use no polls.</p>
            </Notice>
          ) : null}
          <Section
            title="Limit"
            description="Each registered repository is polled about every 5 minutes, every 15 where a webhook works."
            actions={may ? <Button onClick={() => open('limit')}>Change the limit …</Button> : null}
          >
            <Quota quota={quota} />
          </Section>
          <Section title="The last 24 hours">
            {telemetry.buckets.length === 0 ? (
              <Empty title="No polls yet">
                <p>The first one follows a few minutes after a repository was added.</p>
              </Empty>
            ) : (
              <>
                <Chart telemetry={telemetry} />
                <Consumption tenant={tenant} telemetry={telemetry} />
              </>
            )}
          </Section>
          <Window open={dialog === 'limit' && may} onClose={close} title="Change the limit">
            <QuotaForm tenant={tenant} present={quota.pollsPerHour} onClose={close} />
          </Window>
        </div>
      )}
    </Read>
  )
}
