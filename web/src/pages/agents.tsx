import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type AgentKeyRecord, agentKeysApi, type Toolset, toolsetNames, toolsets } from '../../../src/api/agent-keys.ts'
import { call } from '../call.ts'
import { Badge, type Tone } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { CommandHint } from '../parts/copy.tsx'
import { Confirmation, Window } from '../parts/dialog.tsx'
import { Field, fieldError, Form, useChange } from '../parts/form.tsx'
import { Moment, Page } from '../parts/page.tsx'
import { Pager } from '../parts/pager.tsx'
import { SecretWindow } from '../parts/secret.tsx'
import { Empty, Failure, Loading } from '../parts/states.tsx'
import { pageSize, queryClient } from '../queries.ts'
import { holds, identityQuery } from '../session.ts'

const agentKeysQuery = (tenant: string, offset: number) =>
  queryOptions({
    queryKey: ['agent-keys', tenant, offset],
    queryFn: () => call(agentKeysApi.list, { params: { tenant_slug: tenant }, query: { limit: pageSize, offset } }),
    placeholderData: (before) => before,
  })

const refresh = (tenant: string): Promise<void> => queryClient.invalidateQueries({ queryKey: ['agent-keys', tenant] })
const tones: Record<AgentKeyRecord['status'], Tone> = { active: 'ok', expired: 'plain', revoked: 'danger' }

const KeyRow = ({ tenant, record, may }: { tenant: string; record: AgentKeyRecord; may: boolean }) => {
  const [revoking, setRevoking] = useState(false)
  return (
    <li className="grid gap-1.5 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="font-semibold">{record.label}</h2>
        <code className="font-mono text-xs text-soft">{record.prefix}…</code>
        <Badge tone={tones[record.status]}>{record.status}</Badge>
        <Badge>{record.toolset}</Badge>
        {may && record.status === 'active' ? (
          <span className="ml-auto">
            <Button look="danger" onClick={() => setRevoking(true)}>
              Revoke …<span className="sr-only"> {record.label}</span>
            </Button>
          </span>
        ) : null}
      </div>
      <p className="text-sm break-words text-soft">{record.tools.join(', ')}</p>
      <p className="text-sm text-soft">
        {record.last_used_at ? (
          <>
            used <Moment at={record.last_used_at} />
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
      <Confirmation
        open={revoking}
        onClose={() => setRevoking(false)}
        title={`Revoke ${record.label}?`}
        action="Revoke"
        onConfirm={async () => {
          await call(agentKeysApi.revoke, { params: { tenant_slug: tenant, key: record.id } })
          await refresh(tenant)
        }}
      >
        <p>Its agent is refused from now on. A revoked key stays in the list and never works again.</p>
      </Confirmation>
    </li>
  )
}

const CreateForm = ({
  tenant,
  onClose,
  onMade,
}: {
  tenant: string
  onClose: () => void
  onMade: (record: AgentKeyRecord) => void
}) => {
  const [label, setLabel] = useState('')
  const [toolset, setToolset] = useState<Toolset>('catalog-read')
  const [days, setDays] = useState('30')
  const change = useChange(async () => {
    const body = { label, toolset, expires_in_days: Number(days) }
    onMade(await call(agentKeysApi.create, { params: { tenant_slug: tenant }, body }))
    await refresh(tenant)
  })
  return (
    <Form
      onSubmit={() => void change.run()}
      error={change.error}
      actions={
        <>
          <Button type="submit" look="primary" busy={change.busy}>
            Create
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </>
      }
    >
      <Field
        label="Label"
        required
        maxLength={100}
        hint="Which agent it is for."
        value={label}
        error={fieldError(change.error, 'label')}
        onChange={(event) => setLabel(event.target.value)}
      />
      <fieldset className="grid gap-1.5">
        <legend className="mb-1 text-sm font-medium">What it may use</legend>
        {toolsetNames.map((it) => (
          <label key={it} className="flex items-baseline gap-2">
            <input type="radio" name="toolset" checked={toolset === it} onChange={() => setToolset(it)} />
            <span>
              {it} <span className="text-sm text-soft">{toolsets[it].join(', ')}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <Field
        label="Expires after so many days"
        type="number"
        required
        min={1}
        max={365}
        step={1}
        value={days}
        error={fieldError(change.error, 'expires_in_days')}
        onChange={(event) => setDays(event.target.value)}
      />
    </Form>
  )
}

/** The keys of agents: a toolset each, an expiry, a revocation. */
export const AgentsPage = ({
  tenant,
  offset,
  onMove,
}: {
  tenant: string
  offset: number
  onMove: (offset: number) => void
}) => {
  const keys = useQuery(agentKeysQuery(tenant, offset))
  const identity = useQuery(identityQuery)
  const [creating, setCreating] = useState(false)
  const [made, setMade] = useState<AgentKeyRecord | null>(null)
  const list = keys.data
  const create = holds(identity.data, tenant, 'api_keys:create') ? (
    <Button look="primary" onClick={() => setCreating(true)}>
      Create an agent key …
    </Button>
  ) : null
  return (
    <Page
      title="Agent keys"
      description="For agents that read and check specifications through tools. Each key ends by itself."
      actions={create}
    >
      {keys.isError ? (
        <Failure error={keys.error} onRetry={() => void keys.refetch()} />
      ) : !list ? (
        <Loading what="the agent keys" />
      ) : list.items.length === 0 ? (
        <Empty title="No agent key yet">
          <p>On this machine an agent needs none: it starts svc itself.</p>
          <CommandHint command="svc mcp" />
          {create}
        </Empty>
      ) : (
        <>
          <ul className="card divide-y">
            {list.items.map((record) => (
              <KeyRow
                key={record.id}
                tenant={tenant}
                record={record}
                may={holds(identity.data, tenant, 'api_keys:delete')}
              />
            ))}
          </ul>
          <Pager page={list} onMove={onMove} />
        </>
      )}
      <Window open={creating} onOpenChange={() => setCreating(false)} title="Create an agent key">
        <CreateForm
          tenant={tenant}
          onClose={() => setCreating(false)}
          onMade={(record) => {
            setCreating(false)
            setMade(record)
          }}
        />
      </Window>
      <SecretWindow
        title={made ? `The key "${made.label}"` : 'The key'}
        secret={made?.key ?? null}
        onClose={() => setMade(null)}
      />
    </Page>
  )
}
