import { useState } from 'react'
import type { ImportJob } from '../../../../src/api/imports.ts'
import { importsApi } from '../../../../src/api/imports.ts'
import { repositoriesApi } from '../../../../src/api/repositories.ts'
import type { RepositoryFile } from '../../../../src/api/repository-shapes.ts'
import { call } from '../../call.ts'
import { Button } from '../../parts/button.tsx'
import { CheckField, Field, Form, RadioField, useForm } from '../../parts/form.tsx'
import { ImportResult } from '../import/import-result.tsx'
import { ProjectPicker } from '../projects/project-picker.tsx'
import { type RepositoryAt, repositoryParams } from './queries.ts'

const targets = [
  { value: 'new', name: 'The project of the document', detail: 'Found by its title, or created.' },
  { value: 'project', name: 'A project that you choose' },
] as const
type Target = (typeof targets)[number]['value']

/** Imports a file of a repository, and says whether it is imported again when it changes. */
export const ImportFile = ({ at, file, onClose }: { at: RepositoryAt; file: RepositoryFile; onClose: () => void }) => {
  const before = file.import?.project_slug ?? ''
  const [target, setTarget] = useState<Target>(before === '' ? 'new' : 'project')
  const [project, setProject] = useState(before)
  const [refreshes, setRefreshes] = useState(true)
  const [job, setJob] = useState<ImportJob | null>(null)
  const form = useForm({ version: '' }, async ({ version }) => {
    const { job_id } = await call(repositoriesApi.importFile, {
      params: { ...repositoryParams(at), file_id: file.id },
      body: {
        auto_refresh: refreshes,
        ...(target === 'project' ? { project_slug: project } : {}),
        ...(version.trim() === '' ? {} : { version: version.trim() }),
      },
    })
    setJob(await call(importsApi.get, { params: { job_id } }))
  })
  if (job !== null)
    return (
      <>
        <ImportResult tenant={at.tenant} started={job} />
        <div>
          <Button onClick={onClose}>Close</Button>
        </div>
      </>
    )
  return (
    <Form change={form} submit="Import" disabled={target === 'project' && project === ''} onCancel={onClose}>
      <RadioField legend="Where to" value={target} options={targets} onChange={setTarget} />
      {target === 'project' ? (
        <ProjectPicker tenant={at.tenant} label="Project" value={project} onChoose={setProject} />
      ) : null}
      <Field
        label="Version (optional)"
        spellCheck={false}
        hint="Default: the version that the document has."
        {...form.bind('version')}
      />
      <CheckField checked={refreshes} onChange={setRefreshes}>
        Import it again when it changes on <span className="font-mono text-[0.9em]">{file.branch}</span>
      </CheckField>
    </Form>
  )
}
