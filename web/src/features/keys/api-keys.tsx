import { useMutation, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { type ApiKeyRecord, applicationApi } from '../../../../src/api/application.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { DangerConfirmation, Window } from '../../parts/dialog.tsx'
import { List, Row } from '../../parts/list.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx'
import { Moment, Section } from '../../parts/page.tsx'
import { useCreatedSecret } from '../../parts/secret.tsx'
import { Failure } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { namesQuery } from '../members/queries.ts'
import {
  CreateButton,
  CreateKey,
  EditKey,
  LastUsed,
  presetOf,
  RotateKey,
  type SectionOf,
  ShownOnce,
} from './key-forms.tsx'
import { apiKeysQuery, refreshKeys } from './queries.ts'

const tones: Record<ApiKeyRecord['status'], Tone> = { active: 'ok', disabled: 'warn', expired: 'plain' }

const setEnabled = async (tenant: string, record: ApiKeyRecord, enabled: boolean): Promise<void> => {
  const params = { tenant_slug: tenant, key_id: record.id }
  await call(applicationApi.updateKey, { params, body: { enabled } })
  await refreshKeys(tenant, 'api')
}

/** When it was used, when it ends, and who created it: the columns between what a key may do and its menu. */
const Life = ({
  record,
  replaced,
  creator,
}: {
  record: ApiKeyRecord
  replaced: boolean
  creator: string | undefined
}) => (
  <>
    <LastUsed at={record.last_used_at} />
    <span className={record.expires_soon ? 'font-medium text-warn' : 'text-soft'}>
      {record.expires_at ? (
        <>
          <span className="md:sr-only">{record.status === 'expired' ? 'expired' : 'expires'} </span>
          <Moment at={record.expires_at} exact={record.expires_soon} />
        </>
      ) : (
        'never expires'
      )}
    </span>
    <span className="truncate text-soft">
      {replaced ? (
        'replaced by a newer key'
      ) : (
        <>
          <span className="md:sr-only">created </span>
          <Moment at={record.created_at} />
          {creator === undefined ? '' : ` by ${creator}`}
        </>
      )}
    </span>
  </>
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
  const running = record.status === 'active'
  return (
    <>
      <Row>
        <span className="flex min-w-0 items-baseline gap-2 max-md:w-full">
          <h3 className="truncate font-semibold" title={record.name}>
            {record.name}
          </h3>
          <span className="min-w-0 shrink-[9] truncate text-xs text-soft" title={record.description}>
            {record.description}
          </span>
        </span>
        <code className="font-mono text-xs text-soft">{record.prefix}…</code>
        <Badge tone={tones[record.status]}>{record.status}</Badge>
        <span className="truncate" title={record.scopes.join(' ')}>
          {presetOf(record.scopes)?.name ?? record.scopes.join(' ')}
        </span>
        <Life record={record} replaced={replaced} creator={creator} />
        <span className="flex justify-end max-md:absolute max-md:top-1 max-md:right-2">
          {may.edit || may.delete || may.create ? (
            <Menu align="end" label={<span className="sr-only">Actions for {record.name}</span>}>
              {may.create && record.status !== 'expired' ? (
                <MenuItem onClick={() => onAsk('rotate')}>Rotate …</MenuItem>
              ) : null}
              {may.edit ? <MenuItem onClick={() => onAsk('edit')}>Edit …</MenuItem> : null}
              {may.edit && running ? <MenuItem onClick={() => onAsk('disable')}>Disable …</MenuItem> : null}
              {may.edit && record.status === 'disabled' ? (
                <MenuItem onClick={() => enable.mutate()}>Enable</MenuItem>
              ) : null}
              {may.edit && may.delete ? <MenuLine /> : null}
              {may.delete ? <MenuItem onClick={() => onAsk('delete')}>Delete …</MenuItem> : null}
            </Menu>
          ) : null}
        </span>
      </Row>
      {enable.error ? (
        <li>
          <Failure error={enable.error} />
        </li>
      ) : null}
    </>
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
          <List
            label="API keys"
            columns="minmax(0,1.4fr) 7.5rem 5.5rem minmax(0,1fr) 9rem minmax(0,1fr) minmax(0,1.1fr) 2.5rem"
            heads={['Name', 'Key', 'State', 'Permissions', 'Last used', 'Ends', 'Created']}
          >
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
          </List>
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
