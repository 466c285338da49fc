import { useQuery } from '@tanstack/react-query'
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { type GitProviderRecord, providersApi } from '../../../../src/api/providers.ts'
import { SvcError } from '../../../../src/errors.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button, buttonClass } from '../../parts/button.tsx'
import { CopyButton } from '../../parts/copy.tsx'
import { DangerConfirmation, Window } from '../../parts/dialog.tsx'
import { CheckField, Field, Form, useForm } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { Failure, Notice } from '../../parts/states.tsx'
import { Moment } from '../../parts/page.tsx'
import { methodsQuery, refreshProviders, registeredQuery } from './queries.ts'
import { clientPage, clientScopes, failureOf, providerNames } from './providers.ts'

const keyOf = ({ provider, host }: Pick<GitProviderRecord, 'provider' | 'host'>): string => `${provider} ${host}`

/** Stores the OAuth client that was registered at a provider. */
const ClientForm = ({
  tenant,
  record,
  callback,
  onClose,
}: {
  tenant: string
  record: GitProviderRecord
  callback: string
  onClose: () => void
}) => {
  const name = providerNames[record.provider]
  const form = useForm({ client_id: record.oauth?.client_id ?? '', client_secret: '' }, async (values) => {
    await call(providersApi.setClient, {
      params: { provider: record.provider },
      body: { host: record.host, client_id: values.client_id.trim(), client_secret: values.client_secret.trim() },
    })
    await refreshProviders(tenant)
    onClose()
  })
  return (
    <Form change={form} submit="Save" onCancel={onClose}>
      <div className="grid gap-3 rounded-lg bg-raised p-3 text-sm">
        <p>Register an OAuth application at {name}, with this redirect address:</p>
        <p className="flex items-center gap-1">
          <code className="min-w-0 font-mono text-xs break-all">{callback}</code>
          <CopyButton text={callback} what="the redirect address" />
        </p>
        <p className="text-soft">{clientScopes[record.provider]}</p>
        <a
          href={clientPage(record)}
          target="_blank"
          rel="noreferrer"
          className={`${buttonClass()} w-fit max-w-full whitespace-normal!`}
        >
          Register it on {name}
          <ExternalLink size={15} className="shrink-0" aria-label="(opens in a new tab)" />
        </a>
      </div>
      <Field label="Client id" required maxLength={200} spellCheck={false} {...form.bind('client_id')} />
      <Field
        label="Client secret"
        type="password"
        autoComplete="off"
        required
        maxLength={1000}
        hint="It is stored encrypted, and never shown."
        {...form.bind('client_secret')}
      />
    </Form>
  )
}

/** Creates a GitHub App for the service: GitHub shows what it may do, and one click creates it. */
const AppForm = ({ tenant, record, onClose }: { tenant: string; record: GitProviderRecord; onClose: () => void }) => {
  const [reports, setReports] = useState(false)
  const form = useForm({ organization: '', name: '' }, async ({ organization, name }) => {
    const { url } = await call(providersApi.beginManifest, {
      body: {
        host: record.host,
        reports,
        return_to: `/app/t/${encodeURIComponent(tenant)}/-/repositories/providers`,
        ...(organization.trim() === '' ? {} : { organization: organization.trim() }),
        ...(name.trim() === '' ? {} : { name: name.trim() }),
      },
    })
    location.href = url
  })
  return (
    <Form change={form} submit="Continue on GitHub" onCancel={onClose}>
      <p className="text-soft">
        GitHub creates the App with read access to contents and metadata, and gives its key to this service, which
        stores it encrypted. Nothing has to be copied.
      </p>
      <Field
        label="Organization on GitHub (optional)"
        pattern="[A-Za-z0-9_-]+"
        maxLength={100}
        spellCheck={false}
        hint="The organization that will own the App. Leave empty to use your own account."
        {...form.bind('organization')}
      />
      <Field label="Name of the App (optional)" maxLength={34} {...form.bind('name')} />
      <CheckField checked={reports} onChange={setReports}>
        It may also write commit statuses and comments on pull requests
      </CheckField>
    </Form>
  )
}

const AppFacts = ({ of: app }: { of: NonNullable<GitProviderRecord['app']> }) => (
  <p className="text-sm text-soft">
    GitHub App{' '}
    <a href={app.html_url} target="_blank" rel="noreferrer" className="link wrap-anywhere">
      {app.name}
    </a>
    {app.owner === null ? '' : ` of ${app.owner}`}, {app.webhook ? 'reports pushes' : 'does not report pushes'}, created{' '}
    <Moment at={app.created_at} />
  </p>
)

const methodNames: Readonly<Record<string, string>> = { token: 'token', oauth: 'OAuth', app: 'GitHub App' }

const AppButton = ({ record, name }: { record: GitProviderRecord; name: string }) => {
  const { open } = useAddress()
  return record.app ? (
    <Button look="danger" onClick={() => open('forget', keyOf(record))}>
      Forget the App …<span className="sr-only"> of {name}</span>
    </Button>
  ) : (
    <Button onClick={() => open('app', keyOf(record))}>
      Create a GitHub App …<span className="sr-only"> of {name}</span>
    </Button>
  )
}

const Row = ({
  host,
  record,
}: {
  host: { readonly provider: GitProviderRecord['provider']; readonly host: string; readonly methods: readonly string[] }
  record: GitProviderRecord | undefined
}) => {
  const { open } = useAddress()
  const name = `${providerNames[host.provider]}, ${host.host}`
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="grid min-w-0 flex-1 basis-72 gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="min-w-0 wrap-anywhere">
            <span className="font-semibold">{providerNames[host.provider]}</span>{' '}
            <span className="text-soft">{host.host}</span>
          </h2>
          {host.methods.map((method) => (
            <Badge key={method} tone={method === 'token' ? 'plain' : 'ok'}>
              {methodNames[method] ?? method}
            </Badge>
          ))}
        </div>
        {record?.app ? <AppFacts of={record.app} /> : null}
        {record?.oauth ? (
          <p className="text-sm text-soft">
            OAuth client <code className="font-mono text-xs break-all">{record.oauth.client_id}</code>, secret with
            fingerprint <code className="font-mono text-xs">{record.oauth.secret_fingerprint}</code>,{' '}
            <Moment at={record.oauth.updated_at} />
          </p>
        ) : null}
      </div>
      {record === undefined ? null : (
        <div className="flex flex-wrap gap-2">
          {host.provider === 'github' ? <AppButton record={record} name={name} /> : null}
          <Button onClick={() => open('client', keyOf(record))}>
            {record.oauth ? 'Change the OAuth client …' : 'Set up OAuth …'}
            <span className="sr-only"> of {name}</span>
          </Button>
          {record.oauth ? (
            <Button look="danger" onClick={() => open('unregister', keyOf(record))}>
              Remove …<span className="sr-only"> the OAuth client of {name}</span>
            </Button>
          ) : null}
        </div>
      )}
    </li>
  )
}

const isRefused = (error: unknown): boolean => error instanceof SvcError && error.status === 403

/** The dialogs about one host. */
const ProviderDialogs = ({
  tenant,
  chosen,
  callback,
}: {
  tenant: string
  chosen: GitProviderRecord | undefined
  callback: string
}) => {
  const { dialog, close } = useAddress()
  return (
    <>
      <Window
        open={dialog === 'client' && chosen !== undefined}
        onClose={close}
        title={chosen ? `OAuth client of ${chosen.host}` : ''}
      >
        {chosen ? <ClientForm tenant={tenant} record={chosen} callback={callback} onClose={close} /> : null}
      </Window>
      <Window
        open={dialog === 'app' && chosen !== undefined && chosen.app === null}
        onClose={close}
        title="Create a GitHub App"
      >
        {chosen ? <AppForm tenant={tenant} record={chosen} onClose={close} /> : null}
      </Window>
      <DangerConfirmation
        open={dialog === 'forget' && chosen !== undefined && chosen.app !== null}
        onClose={close}
        title={`Forget the App ${chosen?.app?.name ?? ''}?`}
        action="Forget"
        onConfirm={async () => {
          await call(providersApi.removeApp, { query: { host: chosen?.host ?? '' } })
          await refreshProviders(tenant)
        }}
      >
        <p>Its key is deleted here. At GitHub the App stays until you delete it there. This cannot be undone.</p>
      </DangerConfirmation>
      <DangerConfirmation
        open={dialog === 'unregister' && chosen !== undefined}
        onClose={close}
        title={`Remove the OAuth client of ${chosen?.host ?? ''}?`}
        action="Remove"
        onConfirm={async () => {
          if (chosen === undefined) return
          const { provider, host } = chosen
          await call(providersApi.removeClient, { params: { provider }, query: { host } })
          await refreshProviders(tenant)
        }}
      >
        <p>
          Accounts that it linked cannot be renewed any more: they need a token, or another client. This cannot be
          undone.
        </p>
      </DangerConfirmation>
    </>
  )
}

/** What a visit to GitHub ended with. */
const Visited = ({ app, error }: { app: string; error: string }) => {
  const { filter } = useAddress()
  if (app === '' && error === '') return null
  return (
    <Notice
      tone={error === '' ? 'info' : 'danger'}
      title={error === '' ? `The GitHub App ${app} was created` : 'The GitHub App was not created'}
      actions={<Button onClick={() => filter({ git_app: '', error: '' })}>Close</Button>}
    >
      <p>{error === '' ? 'Accounts can now be linked by installing it.' : (failureOf(error) ?? 'Try again.')}</p>
    </Notice>
  )
}

/** The hosts that accounts are linked at, and how; the operator of the service registers OAuth clients here. */
export const ProvidersView = ({
  tenant,
  app,
  error,
}: {
  tenant: string
  /** What a visit to GitHub ended with: the App that was created, or the code of an error. */
  app: string
  error: string
}) => {
  const methods = useQuery(methodsQuery(tenant))
  const registered = useQuery(registeredQuery)
  const { item } = useAddress()
  const records = registered.data?.providers ?? []
  const chosen = records.find((it) => keyOf(it) === item)
  return (
    <>
      <p className="max-w-[75ch] text-sm text-soft">
        With OAuth or a GitHub App people link their accounts in one click, without a token.{' '}
        {isRefused(registered.error)
          ? 'The operator of the service sets it up: an owner of the organization "local".'
          : 'You set it up here for everyone on this service.'}
      </p>
      <Visited app={app} error={error} />
      {registered.error && !isRefused(registered.error) ? <Failure error={registered.error} /> : null}
      <Read query={methods} what="the providers">
        {(all) => (
          <ul className="card divide-y" aria-label="Providers">
            {all.map((it) => (
              <Row key={keyOf(it)} host={it} record={records.find((one) => keyOf(one) === keyOf(it))} />
            ))}
          </ul>
        )}
      </Read>
      <ProviderDialogs tenant={tenant} chosen={chosen} callback={registered.data?.callback_url ?? ''} />
    </>
  )
}
