import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { environmentKinds, type Environment } from '../../../../src/api/environments.ts'
import { type TierId, tierIds } from '../../../../src/gateway-policy/door.ts'
import { projectsApi } from '../../../../src/api/projects.ts'
import { call } from '../../call.ts'
import { SlugField } from '../../parts/fields.tsx'
import { CheckField, Field, Form, RadioField, SelectField, TextField, useForm } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { pieceSize } from '../../query-client.ts'
import { kindNames, tierDetail, tierNames } from './words.ts'

const linesOf = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map((it) => it.trim())
    .filter(Boolean)

/** The projects of an organization to tick: those whose APIs are behind the gateway. */
const ProjectsField = ({
  tenant,
  chosen,
  onChange,
}: {
  tenant: string
  chosen: readonly string[]
  onChange: (ids: readonly string[]) => void
}) => {
  const projects = useQuery({
    queryKey: ['projects', tenant, 'for-environment'],
    queryFn: () => call(projectsApi.list, { params: { tenant_slug: tenant }, query: { limit: pieceSize, offset: 0 } }),
  })
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 text-sm font-medium">Projects behind this gateway</legend>
      <Read query={projects} what="the projects">
        {({ items }) =>
          items.length === 0 ? (
            <p className="text-sm text-soft">There are none yet.</p>
          ) : (
            <div className="grid max-h-40 gap-1 overflow-auto rounded-lg border px-3 py-2">
              {items.map((item) => (
                <CheckField
                  key={item.id}
                  checked={chosen.includes(item.id)}
                  onChange={(on) => onChange(on ? [...chosen, item.id] : chosen.filter((id) => id !== item.id))}
                >
                  {item.name}
                </CheckField>
              ))}
            </div>
          )
        }
      </Read>
    </fieldset>
  )
}

/** What the form of an environment sends. */
export interface EnvironmentBody {
  readonly name: string
  readonly slug?: string
  readonly kind: Environment['kind']
  readonly tier?: TierId
  readonly project_ids: string[]
  readonly hostnames: string[]
  readonly base_paths: string[]
  readonly approvals?: { readonly required: boolean; readonly approvers_min: number }
}

const peopleOptions = (['1', '2', '3'] as const).map((value) => ({
  value,
  name: value === '1' ? 'one other person' : `${value} other people`,
}))

const useEnvironmentForm = (given: Environment | undefined, send: (body: EnvironmentBody) => Promise<unknown>) => {
  const [kind, setKind] = useState<Environment['kind']>(given?.kind ?? 'production')
  const [tier, setTier] = useState<TierId>('standard')
  const [projects, setProjects] = useState<readonly string[]>(given?.project_ids ?? [])
  const [required, setRequired] = useState(given?.approvals.required ?? false)
  const [people, setPeople] = useState<'1' | '2' | '3'>(
    peopleOptions.find((it) => it.value === String(given?.approvals.approvers_min))?.value ?? '1',
  )
  const initial = {
    name: given?.name ?? '',
    slug: '',
    hostnames: given?.hostnames.join('\n') ?? '',
    base_paths: given?.base_paths.join('\n') ?? '',
  }
  const bodyOf = (values: typeof initial): EnvironmentBody => ({
    name: values.name.trim(),
    kind,
    ...(given === undefined ? { tier, ...(values.slug === '' ? {} : { slug: values.slug }) } : {}),
    project_ids: [...projects],
    hostnames: linesOf(values.hostnames),
    base_paths: linesOf(values.base_paths),
    // A new environment follows the organization: approvals where two people can approve.
    ...(given === undefined ? {} : { approvals: { required, approvers_min: Number(people) } }),
  })
  const form = useForm(initial, (values) => send(bodyOf(values)))
  return {
    form,
    body: () => bodyOf(form.values),
    kind,
    setKind,
    tier,
    setTier,
    projects,
    setProjects,
    required,
    setRequired,
    people,
    setPeople,
  }
}

/** The form of a new environment, or of one that exists. */
export const EnvironmentForm = ({
  tenant,
  of: given,
  send,
  failure,
  onClose,
}: {
  tenant: string
  of?: Environment
  /** How an error is shown, where it may ask for an approval. */
  failure?: (error: unknown, body: EnvironmentBody) => ReactNode
  send: (body: EnvironmentBody) => Promise<unknown>
  onClose: () => void
}) => {
  const it = useEnvironmentForm(given, async (body) => {
    await send(body)
    onClose()
  })
  const { form } = it
  return (
    <Form
      change={form}
      submit={given === undefined ? 'Create' : 'Save'}
      onCancel={onClose}
      {...(failure ? { failure: (error: unknown) => failure(error, it.body()) } : {})}
    >
      <Field label="Name" required maxLength={200} {...form.bind('name')} />
      {given === undefined ? <SlugField {...form.bind('slug')} /> : null}
      <SelectField
        label="Kind"
        value={it.kind}
        options={environmentKinds.map((value) => ({ value, name: kindNames[value] }))}
        onChange={it.setKind}
      />
      {given === undefined ? (
        <RadioField
          legend="Tier"
          value={it.tier}
          options={tierIds.map((value) => ({ value, name: tierNames[value], detail: tierDetail(value) }))}
          onChange={it.setTier}
        />
      ) : null}
      <ProjectsField tenant={tenant} chosen={it.projects} onChange={it.setProjects} />
      <TextField
        label="Host names"
        hint="One in each line, for example api.example.com or *.example.com."
        rows={2}
        spellCheck={false}
        {...form.bind('hostnames')}
      />
      <TextField
        label="Base paths"
        hint="Path prefixes of the APIs, one per line, for example /v1."
        rows={2}
        spellCheck={false}
        {...form.bind('base_paths')}
      />
      {given === undefined ? (
        <p className="text-sm text-soft">
          Risky changes need another person as soon as two people of the organization can approve. You can change that
          later.
        </p>
      ) : (
        <div className="grid gap-2">
          <CheckField checked={it.required} onChange={it.setRequired}>
            Risky changes need the approval of others
          </CheckField>
          {it.required ? (
            <SelectField label="Approved by" value={it.people} options={peopleOptions} onChange={it.setPeople} />
          ) : null}
        </div>
      )}
    </Form>
  )
}
