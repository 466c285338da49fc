import { useQuery } from '@tanstack/react-query'
import { type TrustRecord, trustsApi } from '../../../../src/api/trusts.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { DangerConfirmation, Window } from '../../parts/dialog.tsx'
import { Field, Form, RadioField, TextField, useForm } from '../../parts/form.tsx'
import { List, Row } from '../../parts/list.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Section } from '../../parts/page.tsx'
import { holds, identityQuery } from '../../session.ts'
import { CreateButton, LastUsed, presetOf, presets, type SectionOf } from './key-forms.tsx'
import { refreshKeys, trustsQuery } from './queries.ts'

const minutesOf = (seconds: number): string => (seconds === 60 ? '1 minute' : `${Math.round(seconds / 60)} minutes`)

const TrustRow = ({ record, onRemove }: { record: TrustRecord; onRemove: (() => void) | null }) => {
  const conditions = Object.entries(record.conditions).map(([claim, pattern]) => `${claim} = ${pattern}`)
  return (
    <Row>
      <h3 className="truncate font-semibold max-md:w-full" title={record.name}>
        {record.name}
      </h3>
      <span className="truncate font-mono text-xs text-soft max-md:w-full" title={record.issuer}>
        {record.issuer}
      </span>
      <span className="grid gap-0.5 py-1 max-md:w-full">
        {conditions.map((it) => (
          <span key={it} className="truncate font-mono text-xs" title={it}>
            {it}
          </span>
        ))}
      </span>
      <span className="truncate" title={record.scopes.join(' ')}>
        {presetOf(record.scopes)?.name ?? record.scopes.join(', ')}
      </span>
      <span className="text-soft">
        {minutesOf(record.lifetime_seconds)}
        {record.single_use ? ', each token once' : ''}
      </span>
      <LastUsed at={record.last_used_at} />
      <span className="flex justify-end">
        {onRemove ? (
          <Button look="danger" onClick={onRemove}>
            Remove …<span className="sr-only"> {record.name}</span>
          </Button>
        ) : null}
      </span>
    </Row>
  )
}

const issuers = [
  {
    value: 'https://token.actions.githubusercontent.com',
    name: 'GitHub Actions',
    detail: 'For example repository = acme/specs and ref = refs/heads/main.',
  },
  { value: 'https://gitlab.com', name: 'GitLab', detail: 'For example project_path = acme/specs and ref = main.' },
  {
    value: 'https://agent.buildkite.com',
    name: 'Buildkite',
    detail: 'For example organization_slug = acme and pipeline_slug = specs.',
  },
  {
    value: '',
    name: 'Another issuer',
    detail: 'Its https address, exactly as in the iss of its tokens; of Kubernetes that of the cluster.',
  },
] as const

/** The conditions of a text with one "claim = pattern" in each line. */
const conditionsOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const at = line.indexOf('=')
      return line.trim() === '' ? [] : [[line.slice(0, Math.max(at, 0)).trim(), line.slice(at + 1).trim()]]
    }),
  )

type Given = { name: string; issuer: string; other: string; conditions: string; preset: string; minutes: string }

const start: Given = {
  name: '',
  issuer: issuers[0].value,
  other: '',
  conditions: '',
  preset: 'import',
  minutes: '15',
}

const CreateForm = ({ tenant, onClose }: { tenant: string; onClose: () => void }) => {
  const form = useForm<Given>(start, async (given) => {
    await call(trustsApi.create, {
      params: { tenant_slug: tenant },
      body: {
        name: given.name,
        issuer: given.issuer === '' ? given.other.trim() : given.issuer,
        conditions: conditionsOf(given.conditions),
        scopes: [...(presets.find((it) => it.id === given.preset)?.scopes ?? [])],
        lifetime_seconds: Number(given.minutes) * 60,
      },
    })
    await refreshKeys(tenant, 'trust')
    onClose()
  })
  return (
    <Form change={form} submit="Trust" onCancel={onClose}>
      <Field
        label="Name"
        required
        maxLength={100}
        hint="Lower-case letters, digits and hyphens."
        {...form.bind('name')}
      />
      <RadioField
        legend="Issuer"
        value={form.values.issuer}
        options={issuers}
        onChange={(issuer) => form.set({ issuer })}
      />
      {form.values.issuer === '' ? (
        <Field label="Address of the issuer" required maxLength={500} {...form.bind('other')} />
      ) : null}
      <TextField
        label="Conditions"
        required
        rows={3}
        hint="One in each line: claim = pattern. All must fit; * is any text."
        {...form.bind('conditions')}
      />
      <RadioField
        legend="Permissions"
        value={form.values.preset}
        options={presets.map((it) => ({ value: it.id, name: it.name, detail: it.allows }))}
        onChange={(preset) => form.set({ preset })}
      />
      <Field label="Minutes that access lasts (1 to 60)" required {...form.bind('minutes')} />
    </Form>
  )
}

/** The pipelines that need no key, with the dialogs about them. */
export const Trusts = ({ shown, onMove, onClear }: SectionOf) => {
  const { tenant, q } = shown
  const trusts = useQuery(trustsQuery(shown))
  const identity = useQuery(identityQuery)
  const { dialog, item, open, close } = useAddress()
  const may = holds(identity.data, tenant, 'api_keys:create')
  const mayRemove = holds(identity.data, tenant, 'api_keys:delete')
  const asked = trusts.data?.items.find((it) => it.id === item)
  return (
    <Section
      title="Pipelines"
      description="Pipelines that need no key: the token that their CI system signs for each job is exchanged for access of at most an hour."
      actions={
        <CreateButton may={may} onClick={() => open('new-trust')}>
          Trust a pipeline …
        </CreateButton>
      }
    >
      <Listing
        query={trusts}
        what="the trusted pipelines"
        one="trusted pipeline"
        filtered={q !== ''}
        onClear={onClear}
        onMove={onMove}
        empty={<p className="card px-4 py-3 text-soft">No trusted pipelines. Pipelines use API keys.</p>}
      >
        {(items) => (
          <List
            label="Pipelines"
            columns="minmax(0,1fr) minmax(0,1.3fr) minmax(0,1.6fr) 7rem minmax(0,9rem) 8rem 6.5rem"
            heads={['Name', 'Issuer', 'Conditions', 'Permissions', 'Access lasts', 'Last used']}
          >
            {items.map((record) => (
              <TrustRow
                key={record.id}
                record={record}
                onRemove={mayRemove ? () => open('remove-trust', record.id) : null}
              />
            ))}
          </List>
        )}
      </Listing>
      <Window open={dialog === 'new-trust' && may} onClose={close} title="Trust a pipeline">
        <CreateForm tenant={tenant} onClose={close} />
      </Window>
      <DangerConfirmation
        open={dialog === 'remove-trust' && asked !== undefined}
        onClose={close}
        title={`Remove ${asked?.name ?? ''}?`}
        action="Remove"
        onConfirm={async () => {
          await call(trustsApi.remove, { params: { tenant_slug: tenant, trust: asked?.id ?? '' } })
          await refreshKeys(tenant, 'trust')
        }}
      >
        <p>Running pipelines lose their access immediately. This cannot be undone.</p>
      </DangerConfirmation>
    </Section>
  )
}
