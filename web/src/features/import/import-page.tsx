import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { type ImportJob, importsApi } from '../../../../src/api/imports.ts'
import { call } from '../../call.ts'
import { CommandHint, svcCommand } from '../../parts/copy.tsx'
import { DropField } from '../../parts/drop-field.tsx'
import { ChosenFile, type TextFile } from '../../parts/chosen-file.tsx'
import { Field, Form, TextField } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { NoPermission } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { ImportResult } from './import-result.tsx'

/** Where the document comes from: the first of the three that is given. */
interface Source {
  readonly file: TextFile | null
  readonly text: string
  readonly url: string
}

const sourceOf = ({ file, text, url }: Source) => {
  if (file) return { kind: 'inline' as const, content: file.text, name: file.name }
  return text.trim() === '' ? { kind: 'url' as const, url } : { kind: 'inline' as const, content: text }
}

const isEmpty = ({ file, text, url }: Source): boolean => file === null && text.trim() === '' && url.trim() === ''

const SourceFields = ({ source, onChange }: { source: Source; onChange: (changed: Partial<Source>) => void }) => {
  const { file, text, url } = source
  // A file of megabytes in a text field would freeze the page: only its name and size are shown.
  if (file) return <ChosenFile file={file} onRemove={() => onChange({ file: null })} />
  return (
    <>
      <DropField
        label="Choose a file, or drop it here"
        accept=".json,.yaml,.yml"
        onText={(name, content) => onChange({ file: { name, text: content } })}
      />
      <TextField
        label="Or paste the document"
        rows={10}
        spellCheck={false}
        className="font-mono text-xs"
        value={text}
        onChange={(event) => onChange({ text: event.target.value })}
      />
      <Field
        label="Or a URL"
        type="url"
        hint="The service fetches it. Only public addresses are allowed."
        value={url}
        disabled={text.trim() !== ''}
        onChange={(event) => onChange({ url: event.target.value })}
      />
    </>
  )
}

const ImportForm = ({ tenant, project }: { tenant: string; project: string | null }) => {
  const [source, setSource] = useState<Source>({ file: null, text: '', url: '' })
  const [job, setJob] = useState<ImportJob | null>(null)
  const start = useMutation({
    scope: { id: useId() },
    mutationFn: () =>
      call(importsApi.create, {
        params: { tenant_slug: tenant },
        body: { source: sourceOf(source), ...(project === null ? {} : { project_slug: project }) },
      }),
    onSuccess: setJob,
  })
  const name = source.file?.name ?? 'openapi.yaml'
  return (
    <>
      <CommandHint command={svcCommand(tenant, ['import', 'auto', name], { 'project-slug': project ?? '' })} />
      <Form change={start} submit="Import" disabled={isEmpty(source)}>
        <SourceFields source={source} onChange={(changed) => setSource((before) => ({ ...before, ...changed }))} />
      </Form>
      {job ? <ImportResult key={job.job_id} tenant={tenant} started={job} /> : null}
    </>
  )
}

/** Imports a document: a file, a pasted text or a URL. The job runs in the service; this page waits for it. */
export const ImportPage = ({ tenant, project }: { tenant: string; project: string | null }) => {
  const identity = useQuery(identityQuery)
  return (
    <Page
      title={project === null ? 'Import a document' : `Import a version of ${project}`}
      description="OpenAPI, Swagger, Arazzo or JSON Schema, as JSON or YAML. The document is linted and stored as a draft."
    >
      <Read query={identity} what="your role">
        {() =>
          holds(identity.data, tenant, 'versions:edit') ? (
            <ImportForm tenant={tenant} project={project} />
          ) : (
            <NoPermission permission="versions:edit" />
          )
        }
      </Read>
    </Page>
  )
}
