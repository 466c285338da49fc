import { useMutation, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { type ApiKeyRecord, applicationApi } from '../../../../src/api/application.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { DangerConfirmation, Window } from '../../parts/dialog.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx'
import { Moment, Section } from '../../parts/page.tsx'
import { useCreatedSecret } from '../../parts/secret.tsx'
import { Failure } from '../../parts/states.tsx'
import { Switch } from '../../parts/choices.tsx'
import { holds, identityQuery } from '../../session.ts'
import { namesQuery } from '../members/queries.ts'
import { CreateButton, CreateKey, EditKey, presetOf, RotateKey, type SectionOf, ShownOnce } from './key-forms.tsx'
import { apiKeysQuery, refreshKeys } from './queries.ts'

const tones: Record<ApiKeyRecord['status'], Tone> = { active: 'ok', disabled: 'warn', expired: 'plain' }

const setEnabled = async (tenant: string, record: ApiKeyRecord, enabled: boolean): Promise<void> => {
  const params = { tenant_slug: tenant, key_id: record.id }
  await call(applicationApi.updateKey, { params, body: { enabled } })
  await refreshKeys(tenant, 'api')
}

const Life = ({
  record,
  replaced,
  creator,
}: {
  record: ApiKeyRecord
  replaced: boolean
  creator: string | undefined
}) => (
  <p className="text-sm text-soft">
    {record.description === '' ? '' : `${record.description} · `}
    {record.last_used_at ? (
      <>
        last used <Moment at={record.last_used_at} />
      </>
    ) : (
      'never used'
    )}
    {' · '}created <Moment at={record.created_at} />
    {creator === undefined ? '' : ` by ${creator}`}
    {' · '}
    {record.expires_at ? (
      <span className={record.expires_soon ? 'font-medium text-warn' : ''}>
        {record.status === 'expired' ? 'expired' : 'expires'}{' '}
        <Moment at={record.expires_at} exact={record.expires_soon} />
      </span>
    ) : (
      'never expires'
    )}
    {replaced ? ' · replaced by a newer key' : ''}
  </p>
)

const KeyRow = ({
  record,
  tenant,
  replaced,
  creator,
  may,
  onAsk,
}: {
  record: ApiKeyRecord
  tenant: string
  replaced: boolean
  /** The name of who created it, where that is a member. */
  creator: string | undefined
  may: { readonly edit: boolean; readonly delete: boolean; readonly create: boolean }
  onAsk: (dialog: string) => void
}) => {
  const enable = useMutation({ scope: { id: useId() }, mutationFn: () => setEnabled(tenant, record, true) })
  const named = <span className="sr-only"> {record.name}</span>
  return (
    <li className="grid gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h3 className="font-semibold break-words">{record.name}</h3>
        <code className="font-mono text-xs text-soft">{record.prefix}…</code>
        <Badge tone={tones[record.status]}>{record.status}</Badge>
        <Badge>{presetOf(record.scopes)?.name ?? record.scopes.join(' ')}</Badge>
        <span className="ml-auto flex flex-wrap items-center gap-1.5">
          {may.edit ? (
            <Switch
              label="Enabled"
              of={record.name}
              on={record.status === 'active'}
              disabled={record.status === 'expired' || enable.isPending}
              title={record.status === 'expired' ? 'An expired key cannot be enabled' : ''}
              onChange={(on) => (on ? enable.mutate() : onAsk('disable'))}
            />
          ) : null}
          {may.create && record.status !== 'expired' ? (
            <Button onClick={() => onAsk('rotate')}>Rotate …{named}</Button>
          ) : null}
          {may.edit || may.delete ? (
            <Menu align="end" look="plain" label={<>More{named}</>}>
              {may.edit ? <MenuItem onClick={() => onAsk('edit')}>Edit …</MenuItem> : null}
              {may.edit && may.delete ? <MenuLine /> : null}
              {may.delete ? <MenuItem onClick={() => onAsk('delete')}>Delete …</MenuItem> : null}
            </Menu>
          ) : null}
        </span>
      </div>
      <Life record={record} replaced={replaced} creator={creator} />
      {enable.error ? <Failure error={enable.error} /> : null}
    </li>
  )
}

/** The dialogs about one key; the address says which one is open. */
const Dialogs = ({
  tenant,
  record,
  onMade,
}: {
  tenant: string
  record: ApiKeyRecord | undefined
  onMade: (record: ApiKeyRecord) => void
}) => {
  const { dialog, close } = useAddress()
  if (!record) return null
  const { name } = record
  const params = { tenant_slug: tenant, key_id: record.id }
  return (
    <>
      <DangerConfirmation
        open={dialog === 'disable' && record.status === 'active'}
        onClose={close}
        title={`Disable ${name}?`}
        action="Disable"
        onConfirm={() => setEnabled(tenant, record, false)}
      >
        <p>Requests with this key will fail until it is enabled again.</p>
      </DangerConfirmation>
      <DangerConfirmation
        open={dialog === 'delete'}
        onClose={close}
        title={`Delete ${name}?`}
        action="Delete"
        onConfirm={async () => {
          await call(applicationApi.deleteKey, { params })
          await refreshKeys(tenant, 'api')
        }}
      >
        <p>Requests with this key will fail immediately. This cannot be undone.</p>
      </DangerConfirmation>
      <Window open={dialog === 'edit'} onClose={close} title={`Edit ${name}`}>
        <EditKey tenant={tenant} record={record} onClose={close} />
      </Window>
      <Window open={dialog === 'rotate' && record.status !== 'expired'} onClose={close} title={`Rotate ${name}`}>
        <RotateKey tenant={tenant} record={record} onClose={close} onMade={onMade} />
      </Window>
    </>
  )
}

/** The API keys of an organization, with the dialogs about them. */
export const ApiKeys = ({ shown, onMove, onClear }: SectionOf) => {
  const { tenant, q } = shown
  const keys = useQuery(apiKeysQuery(shown))
  const identity = useQuery(identityQuery)
  const { dialog, item, open, close } = useAddress()
  const members = useQuery(namesQuery(tenant))
  const { made, show, forget } = useCreatedSecret<ApiKeyRecord>()
  const items = keys.data?.items ?? []
  const replaced = new Set(items.map((it) => it.replaces_id))
  const may = {
    create: holds(identity.data, tenant, 'api_keys:create'),
    edit: holds(identity.data, tenant, 'api_keys:edit'),
    delete: holds(identity.data, tenant, 'api_keys:delete'),
  }
  return (
    <Section
      title="API keys"
      description="For programs and pipelines. A key belongs to the organization, not to the person who created it."
      actions={
        <CreateButton may={may.create} onClick={() => open('new')}>
          Create an API key …
        </CreateButton>
      }
    >
      <Listing
        query={keys}
        what="the API keys"
        one="API key"
        filtered={q !== ''}
        onClear={onClear}
        onMove={onMove}
        empty={
          <p className="card px-4 py-3 text-soft">No API keys. They let pipelines and programs use this service.</p>
        }
      >
        {(items) => (
          <ul className="card divide-y">
            {items.map((record) => (
              <KeyRow
                key={record.id}
                record={record}
                tenant={tenant}
                may={may}
                replaced={replaced.has(record.id)}
                creator={members.data?.get((record.created_by ?? '').replace(/^user:/, ''))}
                onAsk={(what) => open(what, record.id)}
              />
            ))}
          </ul>
        )}
      </Listing>
      <Window open={dialog === 'new' && may.create} onClose={close} title="Create an API key">
        <CreateKey tenant={tenant} onClose={close} onMade={show} />
      </Window>
      <Dialogs tenant={tenant} record={items.find((it) => it.id === item)} onMade={show} />
      <ShownOnce tenant={tenant} record={made} onClose={forget} />
    </Section>
  )
}
