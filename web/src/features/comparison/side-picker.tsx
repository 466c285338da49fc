import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Pasted, StoredRef } from './queries.ts'
import { Button } from '../../parts/button.tsx'
import { DropField } from '../../parts/drop-field.tsx'
import { Field, TextField } from '../../parts/form.tsx'
import { Picker } from '../../parts/picker.tsx'
import { allVersionsQuery } from '../versions/queries.ts'
import { projectsQuery } from '../projects/queries.ts'

/** A version of the project, found by typing; "latest" is one too. */
export const VersionPicker = ({
  tenant,
  project,
  label,
  value,
  onChoose,
}: {
  tenant: string
  project: string
  label: string
  value: string
  onChoose: (version: string) => void
}) => {
  const versions = useQuery({ ...allVersionsQuery(tenant, project), enabled: project !== '' })
  const items = versions.data?.items ?? []
  const published = items.some((it) => it.status !== 'draft')
  const options = [
    ...items.map((it) => ({ value: it.slug, name: it.label, detail: it.status })),
    ...(published ? [{ value: 'latest', name: 'latest', detail: 'the greatest published' }] : []),
  ]
  return (
    <Picker
      label={label}
      value={value}
      options={options}
      onChoose={onChoose}
      disabled={project === ''}
      placeholder={
        project === ''
          ? 'Choose a project first'
          : versions.data && items.length === 0
            ? 'It has none'
            : 'Choose a version'
      }
    />
  )
}

const ProjectPicker = ({
  tenant,
  label,
  value,
  onChoose,
}: {
  tenant: string
  label: string
  value: string
  onChoose: (project: string) => void
}) => {
  const [q, setQ] = useState('')
  const projects = useQuery(projectsQuery(tenant, q, 0))
  return (
    <Picker
      label={label}
      value={value}
      options={(projects.data?.items ?? []).map((it) => ({ value: it.slug, name: it.name, detail: it.slug }))}
      onChoose={onChoose}
      onSearch={setQ}
      placeholder="Choose a project"
    />
  )
}

/** What is known of a side so far: a project may be chosen before its version is. */
export type Choosing = Partial<StoredRef>

/** Project and version of one side. */
export const SidePicker = ({
  tenant,
  legend,
  explained,
  value,
  onChange,
}: {
  tenant: string
  legend: string
  explained: string
  value: Choosing
  onChange: (value: Choosing) => void
}) => (
  <fieldset className="card grid min-w-0 content-start gap-3 p-4">
    <legend className="sr-only">{legend}</legend>
    <p>
      <span className="font-semibold" aria-hidden="true">
        {legend}
      </span>{' '}
      <span className="text-sm text-soft">{explained}</span>
    </p>
    <div className="grid gap-3 sm:grid-cols-2">
      <ProjectPicker
        tenant={tenant}
        label="Project"
        value={value.project ?? ''}
        onChoose={(project) => onChange({ project })}
      />
      <VersionPicker
        tenant={tenant}
        project={value.project ?? ''}
        label="Version"
        value={value.version ?? ''}
        onChoose={(version) => onChange({ ...value, version })}
      />
    </div>
  </fieldset>
)

/** A document that is nowhere in the service yet: pasted, or dropped as a file. */
export const PasteField = ({ value, onCompare }: { value: Pasted | null; onCompare: (pasted: Pasted) => void }) => {
  const [name, setName] = useState(value?.name ?? '')
  const [text, setText] = useState(value?.text ?? '')
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') onCompare({ name: name.trim() || 'candidate', text })
      }}
    >
      <DropField
        label="Choose a file, or drop it here"
        accept=".yaml,.yml,.json"
        onText={(file, content) => {
          setName(file)
          setText(content)
          onCompare({ name: file, text: content })
        }}
      />
      <TextField
        label="Or paste the document"
        rows={5}
        className="font-mono text-xs"
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
        hint="It is compared and kept nowhere: it is not in the address either."
      />
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-40 grow">
          <Field label="Its name (optional)" value={name} onChange={(event) => setName(event.target.value)} />
        </div>
        <Button type="submit" look="primary" disabled={text.trim() === ''}>
          Compare
        </Button>
      </div>
    </form>
  )
}
