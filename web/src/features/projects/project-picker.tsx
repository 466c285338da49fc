import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Picker } from '../../parts/picker.tsx'
import { projectsQuery } from './queries.ts'

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
