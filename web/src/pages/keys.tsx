import { queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { applicationApi, type ApiKeyRecord } from '../../../src/api/application.ts'
import { call } from '../call.ts'
import { Badge, type Tone } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { Confirmation } from '../parts/dialog.tsx'
import { useChange } from '../parts/form.tsx'
import { count, Moment, Page } from '../parts/page.tsx'
import { Pager } from '../parts/pager.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { Empty, Failure, Loading, NoMatch } from '../parts/states.tsx'
import { pageSize, queryClient } from '../queries.ts'
import { holds, identityQuery } from '../session.ts'
import { CreateKey } from './key-create.tsx'
import { presetOf } from './key-presets.ts'
import { RotateKey } from './key-rotate.tsx'
import { ShownOnce } from './key-shown-once.tsx'

export const keysQuery = (tenant: string, q: string, offset: number) =>
  queryOptions({
    queryKey: ['keys', tenant, q, offset],
    queryFn: () =>
      call(applicationApi.keys, {
        params: { tenant_slug: tenant },
        query: { limit: pageSize, offset, ...(q === '' ? {} : { q }) },
      }),
    placeholderData: (before) => before,
  })

const tones: Record<ApiKeyRecord['status'], Tone> = { active: 'ok', disabled: 'warn', expired: 'plain' }
const refresh = (tenant: string): Promise<void> => queryClient.invalidateQueries({ queryKey: ['keys', tenant] })

type Asked = { readonly what: 'disable' | 'delete' | 'rotate'; readonly key: ApiKeyRecord }

const KeyRow = ({ record, tenant, onAsk }: { record: ApiKeyRecord; tenant: string; onAsk: (asked: Asked) => void }) => {
  const enable = useChange(async () => {
    await call(applicationApi.updateKey, {
      params: { tenant_slug: tenant, key_id: record.id },
      body: { enabled: true },
    })
    await refresh(tenant)
  })
  return (
    <li className="grid gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="font-medium">{record.name}</h2>
        <code className="font-mono text-xs text-soft">{record.prefix}…</code>
        <Badge tone={tones[record.status]}>{record.status}</Badge>
        <Badge>{presetOf(record.scopes)?.name ?? record.scopes.join(' ')}</Badge>
        <span className="ml-auto flex flex-wrap gap-1.5">
          {record.status === 'disabled' ? (
            <Button busy={enable.busy} onClick={() => void enable.run()}>
              Enable<span className="sr-only"> {record.name}</span>
            </Button>
          ) : null}
          {record.status === 'active' ? (
            <>
              <Button onClick={() => onAsk({ what: 'rotate', key: record })}>
                Rotate …<span className="sr-only"> {record.name}</span>
              </Button>
              <Button onClick={() => onAsk({ what: 'disable', key: record })}>
                Disable …<span className="sr-only"> {record.name}</span>
              </Button>
            </>
          ) : null}
          <Button look="danger" onClick={() => onAsk({ what: 'delete', key: record })}>
            Delete …<span className="sr-only"> {record.name}</span>
          </Button>
        </span>
      </div>
      <p className="text-sm text-soft">
        {record.description === '' ? '' : `${record.description} · `}
        {record.last_used_at ? (
          <>
            used <Moment at={record.last_used_at} />
          </>
        ) : (
          'never used'
        )}
        {' · '}made <Moment at={record.created_at} />
        {' · '}
        {record.expires_at ? (
          <span className={record.expires_soon ? 'font-medium text-warn' : ''}>
            {record.status === 'expired' ? 'expired' : 'expires'} <Moment at={record.expires_at} />
          </span>
        ) : (
          'never expires'
        )}
      </p>
      {enable.error ? <Failure error={enable.error} /> : null}
    </li>
  )
}

const Questions = ({
  tenant,
  asked,
  onDone,
  onMade,
}: {
  tenant: string
  asked: Asked | null
  onDone: () => void
  onMade: (record: ApiKeyRecord) => void
}) => {
  const params = { tenant_slug: tenant, key_id: asked?.key.id ?? '' }
  return (
    <>
      <Confirmation
        open={asked?.what === 'disable'}
        onClose={onDone}
        title={`Disable ${asked?.key.name ?? ''}?`}
        action="Disable"
        onConfirm={async () => {
          await call(applicationApi.updateKey, { params, body: { enabled: false } })
          await refresh(tenant)
        }}
      >
        <p>Every request with this key is refused from now on, until it is enabled again.</p>
      </Confirmation>
      <Confirmation
        open={asked?.what === 'delete'}
        onClose={onDone}
        title={`Delete ${asked?.key.name ?? ''}?`}
        action="Delete"
        onConfirm={async () => {
          await call(applicationApi.deleteKey, { params })
          await refresh(tenant)
        }}
      >
        <p>Its callers get 401 from now on. A deleted key never comes back.</p>
      </Confirmation>
      <RotateKey
        tenant={tenant}
        record={asked?.what === 'rotate' ? asked.key : null}
        onClose={onDone}
        onMade={(record) => {
          onMade(record)
          void refresh(tenant)
        }}
      />
    </>
  )
}

/** The REST keys of a tenant: made here and nowhere else. */
export const KeysPage = ({ tenant, q, offset }: { tenant: string; q: string; offset: number }) => {
  const navigate = useNavigate()
  const keys = useQuery(keysQuery(tenant, q, offset))
  const identity = useQuery(identityQuery)
  const [creating, setCreating] = useState(false)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [made, setMade] = useState<ApiKeyRecord | null>(null)
  const list = keys.data
  const expiring = list?.items.filter((it) => it.expires_soon && it.status === 'active') ?? []
  const search = (text: string): void =>
    void navigate({
      to: '/t/$tenant/-/keys',
      params: { tenant },
      search: text === '' ? {} : { q: text },
      replace: true,
    })
  const create = holds(identity.data, tenant, 'api_keys:create') ? (
    <Button look="primary" onClick={() => setCreating(true)}>
      Create a key …
    </Button>
  ) : null
  return (
    <Page
      title="API keys"
      description="For programs and pipelines. A key belongs to the tenant, not to the person who made it."
      actions={create}
    >
      {expiring.length > 0 ? (
        <div role="status" className="card border-warn bg-warn-wash px-4 py-3 text-warn">
          {count(expiring.length, 'key expires', 'keys expire')} within 14 days:{' '}
          {expiring.map((it) => it.name).join(', ')}. Rotate {expiring.length === 1 ? 'it' : 'them'} before callers are
          refused.
        </div>
      ) : null}
      <SearchField label="Search keys" value={q} onChange={search} />
      {keys.isError ? (
        <Failure error={keys.error} onRetry={() => void keys.refetch()} />
      ) : !list ? (
        <Loading what="the keys" />
      ) : list.items.length > 0 ? (
        <>
          <ul className="card divide-y">
            {list.items.map((record) => (
              <KeyRow key={record.id} record={record} tenant={tenant} onAsk={setAsked} />
            ))}
          </ul>
          <Pager
            page={list}
            onMove={(next) =>
              void navigate({
                to: '/t/$tenant/-/keys',
                params: { tenant },
                search: { ...(q === '' ? {} : { q }), ...(next === 0 ? {} : { offset: next }) },
              })
            }
          />
        </>
      ) : q === '' ? (
        <Empty title="No key yet">
          <p>A key lets a pipeline import and compare, or a colleague's shell talk to this service.</p>
          {create}
        </Empty>
      ) : (
        <NoMatch what="key" onClear={() => search('')} />
      )}
      <CreateKey
        tenant={tenant}
        open={creating}
        onClose={() => setCreating(false)}
        onMade={(record) => {
          setCreating(false)
          setMade(record)
          void refresh(tenant)
        }}
      />
      <Questions tenant={tenant} asked={asked} onDone={() => setAsked(null)} onMade={setMade} />
      <ShownOnce tenant={tenant} record={made} onClose={() => setMade(null)} />
    </Page>
  )
}
