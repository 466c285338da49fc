import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { authApi } from '../../../src/api/auth.ts'
import { quotaNames, type TenantLicense, tenantsApi } from '../../../src/api/tenants.ts'
import { call } from '../call.ts'
import { Badge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { Field, fieldError, Form, useChange } from '../parts/form.tsx'
import { Moment, Page } from '../parts/page.tsx'
import { Failure, Loading } from '../parts/states.tsx'
import { queryClient } from '../queries.ts'
import { holds, identityQuery } from '../session.ts'

const licenseQuery = (tenant: string) =>
  queryOptions({
    queryKey: ['license', tenant],
    queryFn: () => call(tenantsApi.license, { params: { tenant_slug: tenant } }),
  })

const auditQuery = (tenant: string) =>
  queryOptions({
    queryKey: ['audit', tenant],
    queryFn: () => call(tenantsApi.audit, { params: { tenant_slug: tenant }, query: { limit: 50 } }),
  })

const Use = ({
  name,
  used,
  max,
  bytes = false,
}: {
  name: string
  used: number
  max: number | null
  bytes?: boolean
}) => {
  const say = (value: number): string =>
    bytes ? `${(value / 1_000_000).toLocaleString(undefined, { maximumFractionDigits: 1 })} MB` : value.toLocaleString()
  const full = max !== null && used >= max
  return (
    <div className="grid gap-1 px-4 py-2.5">
      <p className="flex justify-between gap-4 text-sm">
        <span>{name}</span>
        <span className={`tabular-nums ${full ? 'font-medium text-danger' : 'text-soft'}`}>
          {say(used)} {max === null ? '· no limit' : `of ${say(max)}`}
        </span>
      </p>
      {max === null ? null : (
        <progress
          aria-label={name}
          className={full ? 'meter text-danger' : 'meter text-accent'}
          value={Math.min(used, max)}
          max={max || 1}
        />
      )}
    </div>
  )
}

const Usage = ({ license }: { license: TenantLicense }) => (
  <>
    <p className="text-soft">
      {license.plan ? (
        <>
          Plan {license.plan.name}
          {license.plan.renews_at ? (
            <>
              , renews <Moment at={license.plan.renews_at} />
            </>
          ) : null}
        </>
      ) : (
        'No plan is attached: the limits are those of the free one.'
      )}
    </p>
    <div className="card grid divide-y sm:grid-cols-2 sm:divide-y-0">
      <Use
        name={license.seats.pending > 0 ? `Seats (${license.seats.pending} invited)` : 'Seats'}
        used={license.seats.used}
        max={license.seats.max}
      />
      {quotaNames.map((name) => (
        <Use
          key={name}
          name={name.replace('_bytes', '').replaceAll('_', ' ')}
          bytes={name === 'storage_bytes'}
          {...license.quotas[name]}
        />
      ))}
    </div>
    {license.features.length > 0 ? (
      <p className="flex flex-wrap gap-1.5">
        {license.features.map((it) => (
          <Badge key={it.key} tone={it.enabled ? 'ok' : 'plain'}>
            {it.label}
            {it.enabled ? '' : ' (not in the plan)'}
          </Badge>
        ))}
      </p>
    ) : null}
  </>
)

const UsageSection = ({ tenant }: { tenant: string }) => {
  const license = useQuery(licenseQuery(tenant))
  return (
    <section aria-label="Plan and usage" className="grid gap-3">
      <h2 className="font-semibold">Plan and usage</h2>
      {license.isError ? (
        <Failure error={license.error} onRetry={() => void license.refetch()} />
      ) : license.data ? (
        <Usage license={license.data} />
      ) : (
        <Loading what="the usage" />
      )}
    </section>
  )
}

const AuditSection = ({ tenant }: { tenant: string }) => {
  const audit = useQuery(auditQuery(tenant))
  const items = audit.data?.items ?? []
  return (
    <section aria-label="Audit trail" className="grid gap-3">
      <h2 className="font-semibold">Audit trail</h2>
      {audit.isError ? (
        <Failure error={audit.error} onRetry={() => void audit.refetch()} />
      ) : !audit.data ? (
        <Loading what="the audit trail" />
      ) : items.length === 0 ? (
        <p className="text-soft">Nothing has been changed yet.</p>
      ) : (
        <ul className="card divide-y text-sm">
          {items.map((it) => (
            <li key={it.id} className="flex flex-wrap items-baseline gap-x-3 px-4 py-2">
              <span className="font-mono text-xs">{it.action}</span>
              <span className="grow text-soft">{it.actor_name ?? it.actor_kind}</span>
              <time dateTime={it.created_at} className="text-soft">
                {new Date(it.created_at).toLocaleString()}
              </time>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const NameSection = ({ tenant, name: now }: { tenant: string; name: string }) => {
  const [name, setName] = useState(now)
  const change = useChange(async () => {
    await call(tenantsApi.update, { params: { tenant_slug: tenant }, body: { name } })
    await queryClient.invalidateQueries({ queryKey: identityQuery.queryKey })
  })
  return (
    <section aria-label="Tenant" className="card max-w-xl p-5">
      <Form
        onSubmit={() => void change.run()}
        error={change.error}
        actions={
          <Button type="submit" busy={change.busy} disabled={name === now}>
            Rename
          </Button>
        }
      >
        <Field
          label="Name of the organization"
          required
          value={name}
          error={fieldError(change.error, 'name')}
          onChange={(event) => setName(event.target.value)}
        />
      </Form>
    </section>
  )
}

const PasswordSection = () => {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [done, setDone] = useState(false)
  const change = useChange(async () => {
    setDone(false)
    await call(authApi.password, { body: { current_password: current, new_password: next } })
    setCurrent('')
    setNext('')
    setDone(true)
  })
  return (
    <section aria-label="Your password" className="card max-w-xl p-5">
      <h2 className="mb-3 font-semibold">Your password</h2>
      <Form
        onSubmit={() => void change.run()}
        error={change.error}
        actions={
          <>
            <Button type="submit" busy={change.busy}>
              Change the password
            </Button>
            {done ? <span role="status">It is changed; every other session of yours has ended.</span> : null}
          </>
        }
      >
        <Field
          label="Current password"
          type="password"
          autoComplete="current-password"
          required
          value={current}
          onChange={(event) => setCurrent(event.target.value)}
        />
        <Field
          label="New password"
          type="password"
          autoComplete="new-password"
          required
          minLength={12}
          hint="At least 12 characters."
          value={next}
          error={fieldError(change.error, 'new_password')}
          onChange={(event) => setNext(event.target.value)}
        />
      </Form>
    </section>
  )
}

/** The tenant's name, plan and audit trail, as far as the role shows them, and the person's own password. */
export const SettingsPage = ({ tenant }: { tenant: string }) => {
  const identity = useQuery(identityQuery)
  const membership = identity.data?.memberships.find((it) => it.slug === tenant)
  const admin = holds(identity.data, tenant, 'members:edit')
  return (
    <Page
      title="Settings"
      {...(membership ? { description: `You are ${membership.role} of ${membership.name}.` } : {})}
    >
      {admin && membership ? <NameSection key={membership.name} tenant={tenant} name={membership.name} /> : null}
      <PasswordSection />
      {holds(identity.data, tenant, 'billing:view') ? <UsageSection tenant={tenant} /> : null}
      {admin ? <AuditSection tenant={tenant} /> : null}
    </Page>
  )
}
