import { count } from '../../parts/text.ts'
import { useNavigate } from '@tanstack/react-router'
import { lifecycles, type ProjectRecord, projectsApi } from '../../../../src/api/projects.ts'
import { versionsApi } from '../../../../src/api/versions.ts'
import { call } from '../../call.ts'
import { SlugField } from '../../parts/fields.tsx'
import { Field, Form, SelectField, TextField, useForm } from '../../parts/form.tsx'
import { refreshVersions } from '../catalog/versions.ts'
import { nextLabels } from './next-labels.ts'
import { refreshProjects } from '../catalog/projects.ts'
import { restorable, sayDeleted } from '../bin/undo.ts'

interface Given {
  readonly tenant: string
  readonly onClose: () => void
}

const NameAndPurpose = ({
  bind,
}: {
  bind: (name: 'name' | 'description') => Pick<Parameters<typeof Field>[0], 'error'> & {
    value: string
    onChange: (event: React.ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void
  }
}) => (
  <>
    <Field label="Name" required maxLength={200} {...bind('name')} />
    <TextField label="Description (optional)" maxLength={10_000} {...bind('description')} />
  </>
)

export const CreateProject = ({ tenant, onClose }: Given) => {
  const navigate = useNavigate()
  const form = useForm({ name: '', slug: '', description: '' }, async ({ name, slug, description }) => {
    const made = await call(projectsApi.create, {
      params: { tenant_slug: tenant },
      body: { name, description: description || null, ...(slug === '' ? {} : { slug }) },
    })
    await refreshProjects(tenant)
    await navigate({ to: '/t/$tenant/$project', params: { tenant, project: made.slug }, replace: true })
  })
  return (
    <Form change={form} submit="Create" onCancel={onClose}>
      <NameAndPurpose bind={form.bind} />
      <SlugField {...form.bind('slug')} />
    </Form>
  )
}

const parts = (text: string, separator: RegExp): string[] => [
  ...new Set(
    text
      .split(separator)
      .map((it) => it.trim())
      .filter((it) => it !== ''),
  ),
]

/** One link a line: a title and an address, or an address alone. */
const linkOf = (line: string): { title: string | null; url: string } => {
  const at = line.search(/https?:\/\//)
  const title = line.slice(0, Math.max(0, at)).trim()
  return { title: title === '' ? null : title, url: at === -1 ? line : line.slice(at) }
}

export const EditProject = ({ tenant, project, onClose }: Given & { project: ProjectRecord }) => {
  const form = useForm(
    {
      name: project.name,
      description: project.description ?? '',
      owner: project.owner ?? '',
      lifecycle: project.lifecycle ?? '',
      tags: project.tags.join(', '),
      links: project.links.map(({ title, url }) => (title === null ? url : `${title} ${url}`)).join('\n'),
    },
    async ({ name, description, owner, lifecycle, tags, links }) => {
      await call(projectsApi.update, {
        params: { tenant_slug: tenant, project_ref: project.slug },
        body: {
          name,
          description: description || null,
          owner: owner.trim() || null,
          lifecycle: lifecycles.find((it) => it === lifecycle) ?? null,
          tags: parts(tags.toLowerCase(), /[\s,]+/),
          links: parts(links, /\n/).map(linkOf),
        },
      })
      await refreshProjects(tenant)
      onClose()
    },
  )
  return (
    <Form change={form} submit="Save" onCancel={onClose}>
      <NameAndPurpose bind={form.bind} />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="Owner (optional)" maxLength={200} hint="A team or a person." {...form.bind('owner')} />
        <SelectField
          label="Lifecycle (optional)"
          value={form.values.lifecycle}
          options={[{ value: '', name: 'Not set' }, ...lifecycles.map((it) => ({ value: it, name: it }))]}
          onChange={(lifecycle) => form.set({ lifecycle })}
        />
      </div>
      <Field label="Tags (optional)" hint="Separated by commas." {...form.bind('tags')} />
      <TextField
        label="Links (optional)"
        hint="One per line: a title and a URL, or only a URL."
        {...form.bind('links')}
      />
    </Form>
  )
}

export const DeleteProject = ({ tenant, project, onClose }: Given & { project: ProjectRecord }) => {
  const navigate = useNavigate()
  const form = useForm({ word: '' }, async () => {
    await call(projectsApi.remove, { params: { tenant_slug: tenant, project_ref: project.slug } })
    await navigate({ to: '/t/$tenant', params: { tenant }, replace: true })
    sayDeleted(tenant, project.id, `The project ${project.slug}`)
    await refreshProjects(tenant)
  })
  return (
    <Form
      change={form}
      submit="Delete the project"
      look="danger"
      disabled={form.values.word !== project.slug}
      onCancel={onClose}
    >
      <p className="text-soft">
        The project is deleted with {count(project.versions_count, 'version', 'versions')}, including published ones.
        Their addresses stop answering immediately. {restorable}
      </p>
      <Field label={`Type "${project.slug}" to confirm`} autoComplete="off" spellCheck={false} {...form.bind('word')} />
    </Form>
  )
}

/** A draft begun by hand: from a version that is there, or from nothing. */
export const CreateDraft = ({
  tenant,
  project,
  labels,
  onClose,
}: Given & { project: string; labels: readonly string[] }) => {
  const navigate = useNavigate()
  const next = nextLabels(labels)
  const form = useForm({ label: '', from: labels[0] ?? '' }, async ({ label, from }) => {
    const made = await call(versionsApi.create, {
      params: { tenant_slug: tenant, project_ref: project },
      body: { label, ...(from === '' ? {} : { from }) },
    })
    await refreshVersions(tenant)
    await navigate({
      to: '/t/$tenant/$project/$version/edit',
      params: { tenant, project, version: made.slug },
      replace: true,
    })
  })
  return (
    <Form change={form} submit="Create draft" onCancel={onClose}>
      <Field
        label="Label"
        required
        maxLength={100}
        hint="Usually a semantic version, such as 1.3.0."
        {...form.bind('label')}
      />
      {next.length === 0 ? null : (
        <div role="group" aria-label="Next versions" className="-mt-2 flex flex-wrap gap-1.5">
          {next.map(({ name, label }) => (
            <button
              key={name}
              type="button"
              onClick={() => form.set({ label })}
              className="rounded-full border border-edge px-3 py-1 text-sm hover:bg-raised"
            >
              <span className="text-soft">{name}</span> <span className="font-mono">{label}</span>
            </button>
          ))}
        </div>
      )}
      <SelectField
        label="Start from"
        value={form.values.from}
        options={[...labels.map((it) => ({ value: it, name: `Copy of ${it}` })), { value: '', name: 'Empty document' }]}
        onChange={(from) => form.set({ from })}
      />
    </Form>
  )
}
