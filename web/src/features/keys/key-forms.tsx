import { type ApiKeyRecord, applicationApi, type RotationGrace } from '../../../../src/api/application.ts'
import { call } from '../../call.ts'
import { Moment } from '../../parts/page.tsx'
import { ExpiryField } from '../../parts/expiry-field.tsx'
import { Field, Form, type Option, RadioField, useForm } from '../../parts/form.tsx'
import { daysOf, refreshKeys, type Shown } from './queries.ts'
import { shellWord, svcCommand } from '../../parts/copy.tsx'
import { SecretWindow, UsageSnippets } from '../../parts/secret.tsx'
import type { KeyScope } from '../../../../src/api/permissions.ts'
import type { ReactNode } from 'react'
import { Button } from '../../parts/button.tsx'

interface Preset {
  readonly id: string
  readonly name: string
  readonly allows: string
  readonly scopes: readonly KeyScope[]
}

/** The choices of what a key may do: the first one is the default. Those of pipelines are narrower. */
export const presets: readonly Preset[] = [
  {
    id: 'full',
    name: 'Full access',
    allows: 'Every operation of the organization. Not what needs a person: approvals, members, keys, ownership.',
    scopes: ['*'],
  },
  {
    id: 'diff',
    name: 'CI: compare',
    allows: 'Compare versions. Nothing else.',
    scopes: ['diff:read'],
  },
  { id: 'lint', name: 'CI: lint', allows: 'Read lint reports and gates. Nothing else.', scopes: ['lint:read'] },
  {
    id: 'diff-lint',
    name: 'CI: compare and lint',
    allows: 'Compare versions, read lint reports and gates. Nothing else.',
    scopes: ['diff:read', 'lint:read'],
  },
  {
    id: 'read',
    name: 'CI: read',
    allows:
      'Read projects, versions, documents, lint reports, types and consumers; compare versions; ask whether a release is safe. Changes nothing.',
    scopes: ['catalog:read'],
  },
  {
    id: 'import',
    name: 'CI: import',
    allows:
      'What CI: read can do; create and edit projects, import documents, change drafts, declare consumers, import MCP servers. Publishes nothing.',
    scopes: ['catalog:import'],
  },
  {
    id: 'publish',
    name: 'CI: publish',
    allows:
      'What CI: import can do; publish, deprecate and retire versions where all gates pass. No publishing by force, and no settings, webhooks, style guides or gateways.',
    scopes: ['catalog:publish'],
  },
]

/** The preset that has exactly these scopes. */
export const presetOf = (scopes: readonly string[]): Preset | undefined =>
  presets.find((it) => it.scopes.length === scopes.length && it.scopes.every((scope) => scopes.includes(scope)))

/** The column that says when a key was used last. */
export const LastUsed = ({ at }: { at: string | null }) => (
  <span className="text-soft">
    {at === null ? (
      'never used'
    ) : (
      <>
        used <Moment at={at} />
      </>
    )}
  </span>
)

/** Creates a key: its name, its scopes, its expiry. */
export const CreateKey = ({
  tenant,
  onClose,
  onMade,
}: {
  tenant: string
  onClose: () => void
  onMade: (record: ApiKeyRecord) => void
}) => {
  const form = useForm({ name: '', description: '', preset: presets[0]?.id ?? '', days: '90' }, async (given) => {
    const scopes = presets.find((it) => it.id === given.preset)?.scopes ?? []
    const { name, description } = given
    const made = await call(applicationApi.createKey, {
      params: { tenant_slug: tenant },
      body: { name, description, scopes: [...scopes], expires_in_days: daysOf(given.days) },
    })
    onMade(made)
    await refreshKeys(tenant, 'api')
  })
  return (
    <Form change={form} submit="Create" onCancel={onClose}>
      <Field label="Name" required maxLength={100} hint="Shown in lists and logs." {...form.bind('name')} />
      <Field label="Description (optional)" maxLength={1000} {...form.bind('description')} />
      <RadioField
        legend="Permissions (cannot be changed later)"
        value={form.values.preset}
        options={presets.map((it) => ({ value: it.id, name: it.name, detail: it.allows }))}
        onChange={(preset) => form.set({ preset })}
      />
      <ExpiryField days={form.values.days} error={form.error} onChange={(days) => form.set({ days })} />
    </Form>
  )
}

/** Changes what a key is called: nothing else of it ever changes. */
export const EditKey = ({ tenant, record, onClose }: { tenant: string; record: ApiKeyRecord; onClose: () => void }) => {
  const form = useForm({ name: record.name, description: record.description }, async (body) => {
    await call(applicationApi.updateKey, { params: { tenant_slug: tenant, key_id: record.id }, body })
    await refreshKeys(tenant, 'api')
    onClose()
  })
  return (
    <Form change={form} submit="Save" onCancel={onClose}>
      <Field label="Name" required maxLength={100} {...form.bind('name')} />
      <Field label="Description (optional)" maxLength={1000} {...form.bind('description')} />
    </Form>
  )
}

/** The command of a pipeline that a key of these scopes may run. */
const pipelineCommand = (tenant: string, scopes: readonly string[]): string => {
  const imports = svcCommand(tenant, ['import', 'openapi', 'openapi.yaml'], { 'min-grade': 'B' })
  if (scopes.includes('catalog:publish')) return `${imports} --publish private`
  if (scopes.includes('*') || scopes.includes('catalog:import')) return imports
  if (scopes.includes('lint:read') && !scopes.includes('diff:read'))
    return svcCommand(tenant, ['version', 'lint', 'PROJECT', 'VERSION'])
  return svcCommand(tenant, ['diff', 'PROJECT@latest', 'openapi.yaml'], { 'fail-on': 'breaking' })
}

const remote = (command: string): string => command.replace(/^svc /, `svc --base-url ${location.origin} `)

/** Examples of how to use a key. Only the first contains the key: pipelines and agents read it from their secrets. */
const usesOf = (tenant: string, { key = '', scopes }: ApiKeyRecord): Record<string, string> => {
  const pipeline = remote(pipelineCommand(tenant, scopes))
  const readsAll = scopes.some((scope) => scope === '*' || scope.startsWith('catalog:'))
  const first = readsAll ? remote(svcCommand(tenant, ['auth', 'whoami'])) : pipeline
  const uses = {
    'Command line': `export SVC_API_KEY=${shellWord(key)}\n${first}`,
    CI: `- name: Check the specification
  env:
    SVC_API_KEY: \${{ secrets.SVC_API_KEY }}
  run: ${pipeline}`,
  }
  // An agent reads projects and versions, which the narrow scopes do not reach.
  if (!readsAll) return uses
  const server = {
    command: 'svc',
    args: ['--base-url', location.origin, '--tenant', tenant, 'mcp'],
    env: { SVC_API_KEY: '${SVC_API_KEY}', SVC_MCP_TOOL_NAMES: 'underscore' },
  }
  return { ...uses, Agent: JSON.stringify({ mcpServers: { svc: server } }, null, 2) }
}

/** A REST key just made, with what to do with it. */
export const ShownOnce = ({
  tenant,
  record,
  onClose,
}: {
  tenant: string
  record: ApiKeyRecord | null
  onClose: () => void
}) => (
  <SecretWindow title={record ? `Key "${record.name}"` : 'Key'} secret={record?.key ?? null} onClose={onClose}>
    {record ? <UsageSnippets uses={usesOf(tenant, record)} /> : null}
    {record?.replaces_id ? (
      <p className="text-soft">
        Now update the clients of the old key. The list shows when it was last used and when it expires.
      </p>
    ) : null}
  </SecretWindow>
)

const graces: readonly Option<RotationGrace>[] = [
  { value: '24h', name: 'Expires in 24 hours', detail: 'If you can update its clients today.' },
  { value: '7d', name: 'Expires in 7 days', detail: 'If its clients are updated with their next release.' },
  { value: '0s', name: 'Expires now', detail: 'If the key leaked. Its clients fail until they use the new key.' },
]

/** How long a key was meant to live, in days; empty for one that never ends. */
const lifetime = ({ created_at, expires_at }: ApiKeyRecord): string =>
  expires_at === null
    ? ''
    : String(Math.max(1, Math.round((Date.parse(expires_at) - Date.parse(created_at)) / 86_400_000)))

type Given = { grace: RotationGrace; days: string }

/** Replaces a key by one of the same scopes; the old one lives on for the time that switching takes. */
export const RotateKey = ({
  tenant,
  record,
  onClose,
  onMade,
}: {
  tenant: string
  record: ApiKeyRecord
  onClose: () => void
  onMade: (record: ApiKeyRecord) => void
}) => {
  const form = useForm<Given>({ grace: '24h', days: lifetime(record) }, async ({ grace, days }) => {
    const made = await call(applicationApi.rotateKey, {
      params: { tenant_slug: tenant, key_id: record.id },
      body: { grace, expires_in_days: daysOf(days) },
    })
    onMade(made)
    await refreshKeys(tenant, 'api')
  })
  return (
    <Form change={form} submit="Create the new key" onCancel={onClose}>
      <ol className="list-inside list-decimal text-soft">
        <li>A new key with the same permissions is created and shown once.</li>
        <li>Update the clients to use the new key.</li>
        <li>The old key expires, or you delete it when it is no longer used.</li>
      </ol>
      <RadioField
        legend="The old key"
        value={form.values.grace}
        options={graces}
        onChange={(grace) => form.set({ grace })}
      />
      <ExpiryField
        label="The new key expires"
        days={form.values.days}
        error={form.error}
        onChange={(days) => form.set({ days })}
      />
    </Form>
  )
}

/** What the section of one kind of keys takes. */
export interface SectionOf {
  readonly shown: Shown
  readonly onMove: (offset: number) => void
  readonly onClear: () => void
}

export const CreateButton = ({ may, onClick, children }: { may: boolean; onClick: () => void; children: ReactNode }) =>
  may ? <Button onClick={onClick}>{children}</Button> : null
