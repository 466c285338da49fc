import { useMutation, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { Output } from '../../../../src/api/endpoint.ts'
import { repositoryHooksApi } from '../../../../src/api/repository-hooks.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { count } from '../../parts/text.ts'
import { DangerConfirmation, Window } from '../../parts/dialog.tsx'
import { Field, Form, TextField, useForm } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { Empty, Failure, needs, Notice } from '../../parts/states.tsx'
import { Moment, Section } from '../../parts/page.tsx'
import { Switch } from '../../parts/choices.tsx'
import { holds, identityQuery } from '../../session.ts'
import { clouds, providerNames } from '../git-providers/providers.ts'
import { refreshRepositories } from '../git-providers/queries.ts'
import { allowlistQuery } from './queries.ts'

type Allowlist = Output<typeof repositoryHooksApi.allowlist>
type Entry = Allowlist['entries'][number]

const AddEntry = ({ tenant, onClose }: { tenant: string; onClose: () => void }) => {
  const form = useForm({ cidr: '', description: '' }, async ({ cidr, description }) => {
    await call(repositoryHooksApi.addEntry, {
      params: { tenant_slug: tenant },
      body: { cidr: cidr.trim(), ...(description.trim() === '' ? {} : { description: description.trim() }) },
    })
    await refreshRepositories(tenant)
    onClose()
  })
  return (
    <Form change={form} submit="Add the network" onCancel={onClose}>
      <Field
        label="Network"
        required
        maxLength={50}
        spellCheck={false}
        placeholder="203.0.113.0/24"
        hint="In CIDR form, or a single address; IPv4 or IPv6."
        {...form.bind('cidr')}
      />
      <Field label="Description (optional)" maxLength={500} {...form.bind('description')} />
    </Form>
  )
}

/** Stops checking addresses; who does says why. */
const Bypass = ({ tenant, onClose }: { tenant: string; onClose: () => void }) => {
  const form = useForm({ bypassReason: '' }, async ({ bypassReason }) => {
    await call(repositoryHooksApi.setPolicy, {
      params: { tenant_slug: tenant },
      body: { enforcementEnabled: false, bypassReason },
    })
    await refreshRepositories(tenant)
    onClose()
  })
  return (
    <Form
      change={form}
      submit="Stop checking"
      look="danger"
      disabled={form.values.bypassReason.trim() === ''}
      onCancel={onClose}
    >
      <p className="text-soft">
        Deliveries are then accepted from any address. Their signatures are checked as before.
      </p>
      <TextField
        label="Reason"
        required
        maxLength={500}
        hint="It is shown on this page and kept in the audit trail."
        {...form.bind('bypassReason')}
      />
    </Form>
  )
}

const Checking = ({ tenant, allowlist, may }: { tenant: string; allowlist: Allowlist; may: boolean }) => {
  const { open } = useAddress()
  const resume = useMutation({
    scope: { id: useId() },
    mutationFn: async () => {
      const params = { tenant_slug: tenant }
      await call(repositoryHooksApi.setPolicy, { params, body: { enforcementEnabled: true } })
      await refreshRepositories(tenant)
    },
  })
  if (!allowlist.enforcementEnabled)
    return (
      <Notice tone="warn" title="Addresses are not checked on this service">
        <p>Its operator has switched the check off. Signatures are checked.</p>
      </Notice>
    )
  return (
    <>
      {allowlist.tenantEnforcementEnabled ? (
        <div className="card flex flex-wrap items-center justify-between gap-3 px-4 py-3">
          <p className="flex min-w-0 flex-1 basis-72 flex-wrap items-center gap-x-3 gap-y-1">
            <Badge tone="ok">checking</Badge>
            <span className="text-sm text-soft">
              {allowlist.strict
                ? 'Strict: deliveries from a host without known networks are refused.'
                : 'Deliveries from a host without known networks are accepted and marked.'}{' '}
              {allowlist.trustedProxyHops === 0
                ? 'The sender is the address of the connection.'
                : `The sender is read from X-Forwarded-For, ${count(allowlist.trustedProxyHops, 'proxy', 'proxies')} from the right.`}
            </span>
          </p>
          {may ? (
            <Button look="danger" onClick={() => open('bypass')}>
              Stop checking …
            </Button>
          ) : null}
        </div>
      ) : (
        <Notice
          tone="danger"
          title="Addresses are not checked"
          actions={
            may ? (
              <Button look="primary" busy={resume.isPending} onClick={() => resume.mutate()}>
                Check again
              </Button>
            ) : null
          }
        >
          <p className="wrap-anywhere">
            Reason: {allowlist.bypassReason}
            {allowlist.policyUpdatedAt ? (
              <>
                {' '}
                (since <Moment at={allowlist.policyUpdatedAt} exact />)
              </>
            ) : null}
          </p>
        </Notice>
      )}
      {resume.error ? <Failure error={resume.error} /> : null}
    </>
  )
}

const EntryRow = ({
  entry,
  may,
  busy,
  onSwitch,
}: {
  entry: Entry
  may: boolean
  busy: boolean
  onSwitch: (enabled: boolean) => void
}) => {
  const { open } = useAddress()
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
      <span className="grid min-w-0 flex-1 basis-60">
        <code className="font-mono text-sm break-all">{entry.cidr}</code>
        <span className="text-sm wrap-anywhere text-soft">
          {entry.description ? `${entry.description}, ` : ''}added <Moment at={entry.created_at} />
        </span>
      </span>
      <Switch
        label={entry.enabled ? 'On' : 'Off'}
        of={entry.cidr}
        on={entry.enabled}
        disabled={!may || busy}
        onChange={onSwitch}
      />
      {may ? (
        <Button onClick={() => open('remove', entry.id)}>
          Remove …<span className="sr-only"> {entry.cidr}</span>
        </Button>
      ) : null}
    </li>
  )
}

const Entries = ({ tenant, entries, may }: { tenant: string; entries: readonly Entry[]; may: boolean }) => {
  const { open } = useAddress()
  const change = useMutation({
    scope: { id: useId() },
    mutationFn: async ({ id, enabled }: { id: string; enabled: boolean }) => {
      await call(repositoryHooksApi.setEntry, { params: { tenant_slug: tenant, entry_id: id }, body: { enabled } })
      await refreshRepositories(tenant)
    },
  })
  return (
    <Section
      title="Networks of your own"
      description="For servers and proxies of your own. Where a network is on, a host without known networks is accepted from these only."
      actions={may ? <Button onClick={() => open('network')}>Add a network …</Button> : null}
    >
      {entries.length === 0 ? (
        <Empty title="No networks">
          <p>The networks of the providers are enough for github.com, gitlab.com and bitbucket.org.</p>
        </Empty>
      ) : (
        <ul className="card divide-y" aria-label="Networks of your own">
          {entries.map((row) => (
            <EntryRow
              key={row.id}
              entry={row}
              may={may}
              busy={change.isPending}
              onSwitch={(enabled) => change.mutate({ id: row.id, enabled })}
            />
          ))}
        </ul>
      )}
      {change.error ? <Failure error={change.error} /> : null}
    </Section>
  )
}

const Providers = ({ it: { providers, refreshIntervalSeconds } }: { it: Allowlist }) => (
  <Section
    title="Networks of the providers"
    description={`Read from the providers every ${refreshIntervalSeconds / 3600} hours; the last good copy is kept.`}
  >
    <ul className="card divide-y" aria-label="Networks of the providers">
      {providers.map((one) => (
        <li key={one.provider} className="grid gap-1 px-4 py-2 text-sm">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="font-medium">{providerNames[one.provider]}</span>
            <span className="text-soft">{clouds[one.provider]}</span>
            <span className="ml-auto text-soft">
              {one.fetchedAt === null ? (
                'not read yet'
              ) : (
                <>
                  read <Moment at={one.fetchedAt} />
                </>
              )}
            </span>
          </p>
          {one.lastError === null ? null : <p className="wrap-anywhere text-danger">{one.lastError}</p>}
          {one.ranges.length === 0 ? null : (
            <details>
              <summary className="w-fit cursor-pointer text-soft">
                {count(one.ranges.length, 'network', 'networks')}
              </summary>
              <p className="mt-1 font-mono text-xs break-words">{one.ranges.join(', ')}</p>
            </details>
          )}
        </li>
      ))}
    </ul>
  </Section>
)

/** Which addresses webhooks of repositories are accepted from. */
export const SourcesView = ({ tenant }: { tenant: string }) => {
  const allowlist = useQuery(allowlistQuery(tenant))
  const identity = useQuery(identityQuery)
  const { dialog, item, close } = useAddress()
  const may = holds(identity.data, tenant, 'webhooks:edit')
  const chosen = allowlist.data?.entries.find(({ id }) => id === item)
  return (
    <Read query={allowlist} what="the webhook sources">
      {(allowlist) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          {identity.data && !may ? (
            <p className="text-sm text-soft">{needs('webhooks:edit', 'Changing webhook sources')}</p>
          ) : null}
          <Checking tenant={tenant} allowlist={allowlist} may={may} />
          <Entries tenant={tenant} entries={allowlist.entries} may={may} />
          <Providers it={allowlist} />
          <Window open={dialog === 'network' && may} onClose={close} title="Add a network">
            <AddEntry tenant={tenant} onClose={close} />
          </Window>
          <Window open={dialog === 'bypass' && may} onClose={close} title="Stop checking addresses?">
            <Bypass tenant={tenant} onClose={close} />
          </Window>
          <DangerConfirmation
            open={dialog === 'remove' && may && chosen !== undefined}
            onClose={close}
            title={`Remove ${chosen?.cidr ?? ''}?`}
            action="Remove"
            onConfirm={async () => {
              const params = { tenant_slug: tenant, entry_id: item ?? '' }
              await call(repositoryHooksApi.removeEntry, { params })
              await refreshRepositories(tenant)
            }}
          >
            <p>This entry no longer allows deliveries from the network.</p>
          </DangerConfirmation>
        </div>
      )}
    </Read>
  )
}
