import { useQuery } from '@tanstack/react-query'
import { type AgentKeyRecord, agentKeysApi } from '../../../../src/api/agent-keys.ts'
import { type Toolset, toolsetNames, toolsets } from '../../../../src/api/toolsets.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CommandHint, svcCommand } from '../../parts/copy.tsx'
import { DangerConfirmation, Window } from '../../parts/dialog.tsx'
import { ExpiryField } from '../../parts/expiry-field.tsx'
import { Field, Form, RadioField, useForm } from '../../parts/form.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Moment, Page, Toolbar } from '../../parts/page.tsx'
import { useMade } from '../../parts/secret.tsx'
import { Empty } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { AgentSecret } from '../../parts/agent-secret.tsx'
import { agentKeysQuery, refreshAgentKeys } from './queries.ts'

const tones: Record<AgentKeyRecord['status'], Tone> = { active: 'ok', expired: 'plain', revoked: 'danger' }

const KeyRow = ({ record, onRevoke }: { record: AgentKeyRecord; onRevoke: (() => void) | null }) => (
  <li className="grid gap-1.5 px-4 py-3">
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <h2 className="font-semibold break-words">{record.label}</h2>
      <code className="font-mono text-xs text-soft">{record.prefix}…</code>
      <Badge tone={tones[record.status]}>{record.status}</Badge>
      <Badge>{record.toolset}</Badge>
      {onRevoke && record.status === 'active' ? (
        <span className="ml-auto">
          <Button look="danger" onClick={onRevoke}>
            Revoke …<span className="sr-only"> {record.label}</span>
          </Button>
        </span>
      ) : null}
    </div>
    <p className="font-mono text-xs break-words text-soft">{record.tools.join(', ')}</p>
    <p className="text-sm text-soft">
      {record.last_used_at ? (
        <>
          last used <Moment at={record.last_used_at} />
        </>
      ) : (
        'never used'
      )}
      {' · '}
      {record.revoked_at ? (
        <>
          revoked <Moment at={record.revoked_at} />
        </>
      ) : (
        <>
          {record.status === 'expired' ? 'expired' : 'expires'} <Moment at={record.expires_at} />
        </>
      )}
    </p>
  </li>
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
    await refreshAgentKeys(tenant)
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

/** The keys of agents: a toolset each, an expiry, a revocation. */
export const AgentKeysPage = ({ tenant, offset }: { tenant: string; offset: number }) => {
  const keys = useQuery(agentKeysQuery(tenant, offset))
  const identity = useQuery(identityQuery)
  const { dialog, item, open, close, move } = useAddress()
  const { made, show, forget } = useMade<AgentKeyRecord>()
  const may = holds(identity.data, tenant, 'api_keys:create')
  const mayRevoke = holds(identity.data, tenant, 'api_keys:delete')
  const asked = keys.data?.items.find((it) => it.id === item)
  const create = may ? (
    <Button look="primary" onClick={() => open('new')}>
      Create an agent key …
    </Button>
  ) : null
  return (
    <Page
      title="Agent keys"
      description="For agents that read and lint specifications. Every agent key expires."
      actions={create}
    >
      <Toolbar>
        <CommandHint command={svcCommand(tenant, ['agent-key', 'list'])} />
      </Toolbar>
      <Listing
        query={keys}
        what="the agent keys"
        one="agent key"
        onMove={move}
        empty={
          <Empty title="No agent keys yet">
            <p>Agents on this machine do not need a key: they start "svc mcp" themselves.</p>
            {create}
          </Empty>
        }
      >
        {(items) => (
          <ul className="card divide-y">
            {items.map((record) => (
              <KeyRow key={record.id} record={record} onRevoke={mayRevoke ? () => open('revoke', record.id) : null} />
            ))}
          </ul>
        )}
      </Listing>
      <Window open={dialog === 'new' && may} onClose={close} title="Create an agent key">
        <CreateForm tenant={tenant} onClose={close} onMade={show} />
      </Window>
      <DangerConfirmation
        open={dialog === 'revoke' && asked?.status === 'active'}
        onClose={close}
        title={`Revoke ${asked?.label ?? ''}?`}
        action="Revoke"
        onConfirm={async () => {
          await call(agentKeysApi.revoke, { params: { tenant_slug: tenant, key: asked?.id ?? '' } })
          await refreshAgentKeys(tenant)
        }}
      >
        <p>Requests from its agent will fail immediately. A revoked key cannot be restored.</p>
      </DangerConfirmation>
      <AgentSecret record={made} onClose={forget} />
    </Page>
  )
}
