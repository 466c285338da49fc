import { useQuery } from '@tanstack/react-query'
import { type AgentKeyRecord, agentKeysApi } from '../../../../src/api/agent-keys.ts'
import { type Toolset, toolsetNames, toolsets } from '../../../../src/api/toolsets.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { DangerConfirmation, Window } from '../../parts/dialog.tsx'
import { ExpiryField } from '../../parts/expiry-field.tsx'
import { Field, Form, RadioField, useForm } from '../../parts/form.tsx'
import { List, Row } from '../../parts/list.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Moment, Section } from '../../parts/page.tsx'
import { AgentSecret, useCreatedSecret } from '../../parts/secret.tsx'
import { holds, identityQuery } from '../../session.ts'
import { CreateButton, LastUsed, type SectionOf } from './key-forms.tsx'
import { agentKeysQuery, refreshKeys } from './queries.ts'

const tones: Record<AgentKeyRecord['status'], Tone> = { active: 'ok', expired: 'plain', revoked: 'danger' }

const KeyRow = ({ record, onRevoke }: { record: AgentKeyRecord; onRevoke: (() => void) | null }) => (
  <Row>
    <h3 className="truncate font-semibold max-md:w-full" title={record.label}>
      {record.label}
    </h3>
    <code className="font-mono text-xs text-soft">{record.prefix}…</code>
    <Badge tone={tones[record.status]}>{record.status}</Badge>
    <span className="flex min-w-0 items-baseline gap-2 max-md:w-full" title={record.tools.join(', ')}>
      {record.toolset}
      <span className="truncate font-mono text-xs text-soft">{record.tools.join(', ')}</span>
    </span>
    <LastUsed at={record.last_used_at} />
    <span className="text-soft">
      {record.revoked_at ? (
        <>
          revoked <Moment at={record.revoked_at} />
        </>
      ) : (
        <>
          <span className="md:sr-only">{record.status === 'expired' ? 'expired' : 'expires'} </span>
          <Moment at={record.expires_at} />
        </>
      )}
    </span>
    <span className="flex justify-end">
      {onRevoke && record.status === 'active' ? (
        <Button look="danger" onClick={onRevoke}>
          Revoke …<span className="sr-only"> {record.label}</span>
        </Button>
      ) : null}
    </span>
  </Row>
)

type Given = { label: string; toolset: Toolset; days: string }

const CreateForm = ({
  tenant,
  onClose,
  onMade,
}: {
  tenant: string
  onClose: () => void
  onMade: (record: AgentKeyRecord) => void
}) => {
  const form = useForm<Given>({ label: '', toolset: 'catalog-read', days: '30' }, async ({ label, toolset, days }) => {
    const body = { label, toolset, expires_in_days: Number(days) }
    onMade(await call(agentKeysApi.create, { params: { tenant_slug: tenant }, body }))
    await refreshKeys(tenant, 'agent')
  })
  return (
    <Form change={form} submit="Create" onCancel={onClose}>
      <Field label="Label" required maxLength={100} hint="The agent that uses the key." {...form.bind('label')} />
      <RadioField
        legend="Tools"
        value={form.values.toolset}
        options={toolsetNames.map((it) => ({ value: it, name: it, detail: toolsets[it].join(', ') }))}
        onChange={(toolset) => form.set({ toolset })}
      />
      <ExpiryField
        days={form.values.days}
        most={365}
        never={false}
        error={form.error}
        onChange={(days) => form.set({ days })}
      />
    </Form>
  )
}

/** The keys of agents, with the dialogs about them. */
export const AgentKeys = ({ shown, onMove, onClear }: SectionOf) => {
  const { tenant, q } = shown
  const keys = useQuery(agentKeysQuery(shown))
  const identity = useQuery(identityQuery)
  const { dialog, item, open, close } = useAddress()
  const { made, show, forget } = useCreatedSecret<AgentKeyRecord>()
  const may = holds(identity.data, tenant, 'api_keys:create')
  const mayRevoke = holds(identity.data, tenant, 'api_keys:delete')
  const asked = keys.data?.items.find((it) => it.id === item)
  return (
    <Section
      title="Agent keys"
      description="For agents that read and lint specifications. Every agent key expires."
      actions={
        <CreateButton may={may} onClick={() => open('new-agent')}>
          Create an agent key …
        </CreateButton>
      }
    >
      <Listing
        query={keys}
        what="the agent keys"
        one="agent key"
        filtered={q !== ''}
        onClear={onClear}
        onMove={onMove}
        empty={
          <p className="card px-4 py-3 text-soft">
            No agent keys. Agents on this machine do not need one: they start "svc mcp" themselves.
          </p>
        }
      >
        {(items) => (
          <List
            label="Agent keys"
            columns="minmax(0,1fr) 7.5rem 5.5rem minmax(0,2fr) 9rem 9rem 6rem"
            heads={['Agent', 'Key', 'State', 'Tools', 'Last used', 'Ends']}
          >
            {items.map((record) => (
              <KeyRow key={record.id} record={record} onRevoke={mayRevoke ? () => open('revoke', record.id) : null} />
            ))}
          </List>
        )}
      </Listing>
      <Window open={dialog === 'new-agent' && may} onClose={close} title="Create an agent key">
        <CreateForm tenant={tenant} onClose={close} onMade={show} />
      </Window>
      <DangerConfirmation
        open={dialog === 'revoke' && asked?.status === 'active'}
        onClose={close}
        title={`Revoke ${asked?.label ?? ''}?`}
        action="Revoke"
        onConfirm={async () => {
          await call(agentKeysApi.revoke, { params: { tenant_slug: tenant, key: asked?.id ?? '' } })
          await refreshKeys(tenant, 'agent')
        }}
      >
        <p>Requests from its agent will fail immediately. This cannot be undone.</p>
      </DangerConfirmation>
      <AgentSecret record={made} onClose={forget} />
    </Section>
  )
}
