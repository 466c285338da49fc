import { useQuery } from '@tanstack/react-query'
import { Picker } from '../../parts/picker.tsx'
import { allVersionsQuery } from './queries.ts'

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
    ...(published ? [{ value: 'latest', name: 'latest', detail: 'latest published' }] : []),
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
            ? 'No versions'
            : 'Choose a version'
      }
    />
  )
}
