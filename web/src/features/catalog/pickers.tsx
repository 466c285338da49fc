import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Picker } from '../../parts/picker.tsx'
import { projectsQuery } from './projects.ts'
import { allVersionsQuery } from './versions.ts'

/** A project of the organization, found by typing: the service searches all of them. */
export const ProjectPicker = ({
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
  const projects = useQuery(projectsQuery(tenant, q === '' ? {} : { q }, 0))
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
  const prompt = versions.data && items.length === 0 ? 'No versions' : 'Choose a version'
  const options = [
    ...items.map((it) => ({ value: it.slug, name: it.label, detail: it.status })),
    ...(published ? [{ value: 'latest', name: 'latest', detail: 'latest published' }] : []),
  ]
  return (
    <Picker
      label={label}
      value={value}
      options={options}
      onChoose={onChoose}
      disabled={project === ''}
      placeholder={project === '' ? 'Choose a project first' : prompt}
    />
  )
}

/** Any number of projects, each found by typing; the service searches all of them. */
export const ProjectsChoice = ({
  tenant,
  label,
  chosen,
  onChange,
}: {
  tenant: string
  label: string
  /** Slugs. */
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}) => (
  <div className="grid gap-2">
    <ProjectPicker
      tenant={tenant}
      label={label}
      value=""
      onChoose={(slug) => onChange(slug === '' || chosen.includes(slug) ? chosen : [...chosen, slug])}
    />
    {chosen.length === 0 ? null : (
      <ul className="flex flex-wrap gap-1.5" aria-label={`${label}: chosen`}>
        {chosen.map((slug) => (
          <li key={slug} className="flex items-center gap-1 rounded-lg border pl-2.5 text-sm">
            <span className="wrap-anywhere">{slug}</span>
            <button
              type="button"
              className="rounded-lg px-2 py-1 text-soft hover:text-ink"
              onClick={() => onChange(chosen.filter((it) => it !== slug))}
            >
              <span aria-hidden="true">×</span>
              <span className="sr-only">Remove {slug}</span>
            </button>
          </li>
        ))}
      </ul>
    )}
  </div>
)
