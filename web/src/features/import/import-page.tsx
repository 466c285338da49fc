import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { type ImportJob, importsApi } from '../../../../src/api/imports.ts'
import { call } from '../../call.ts'
import { Badge, Grade } from '../../parts/badge.tsx'
import { buttonClass } from '../../parts/button.tsx'
import { CommandHint, svcCommand } from '../../parts/copy.tsx'
import { Field, Form, TextField, useChange } from '../../parts/form.tsx'
import { count, Page } from '../../parts/page.tsx'
import { Read } from '../../parts/listing.tsx'
import { NoPermission } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { queryClient } from '../../query-client.ts'

const ended = (job: ImportJob): boolean => !['queued', 'running'].includes(job.status)

const Result = ({ tenant, job }: { tenant: string; job: ImportJob }) => (
  <div role="status" className="card grid gap-3 p-5">
    <p className="flex flex-wrap items-center gap-3">
      <Badge tone={job.error ? 'danger' : job.status === 'completed' ? 'ok' : 'info'}>
        {job.status.replaceAll('_', ' ')}
      </Badge>
      {ended(job) ? null : <span className="text-soft">{job.phase ?? 'waiting'} …</span>}
      {job.lint ? <Grade grade={job.lint.grade} score={job.lint.score} /> : null}
      {job.result?.unchanged ? <span>The same document was here already.</span> : null}
    </p>
    {job.error ? (
      <div className="grid gap-1">
        <p className="text-danger">{job.error.message}</p>
        <p className="text-soft">{job.error.hint}</p>
      </div>
    ) : null}
    {job.gate?.reasons.map((reason) => (
      <p key={reason} className="text-danger">
        {reason}
      </p>
    ))}
    {job.warnings.length > 0 ? (
      <details className="text-sm">
        <summary className="cursor-pointer">{count(job.warnings.length, 'warning', 'warnings')}</summary>
        <ul className="mt-2 grid gap-1">
          {job.warnings.map((it) => (
            <li key={it.code + it.pointer}>
              {it.message} <code className="font-mono text-xs text-soft">{it.pointer}</code>
            </li>
          ))}
        </ul>
      </details>
    ) : null}
    {job.result ? (
      <p>
        <Link
          to="/t/$tenant/$project/$version"
          params={{ tenant, project: job.result.project_slug, version: job.result.version_slug }}
          className={buttonClass('primary')}
        >
          Open {job.result.project_slug} {job.result.version_slug}
        </Link>
      </p>
    ) : null}
  </div>
)

const ImportForm = ({ tenant, project }: { tenant: string; project: string | null }) => {
  const id = useId()
  const [text, setText] = useState('')
  const [file, setFile] = useState('')
  const [url, setUrl] = useState('')
  const [job, setJob] = useState<ImportJob | null>(null)
  const change = useChange(async () => {
    const source =
      text.trim() === ''
        ? { kind: 'url' as const, url }
        : { kind: 'inline' as const, content: text, ...(file === '' ? {} : { name: file }) }
    let current = await call(importsApi.create, {
      params: { tenant_slug: tenant },
      body: { source, ...(project === null ? {} : { project_slug: project }) },
    })
    setJob(current)
    while (!ended(current)) {
      current = await call(importsApi.get, { params: { job_id: current.job_id }, query: { wait: 5 } })
      setJob(current)
    }
    await queryClient.invalidateQueries()
  })
  return (
    <>
      <CommandHint
        command={svcCommand(tenant, ['import', 'auto', file || 'openapi.yaml'], { 'project-slug': project ?? '' })}
      />
      <Form change={change} submit="Import" disabled={text.trim() === '' && url.trim() === ''}>
        <div className="grid gap-1">
          <label htmlFor={`${id}-file`} className="text-sm font-medium">
            A file
          </label>
          <input
            id={`${id}-file`}
            type="file"
            accept=".json,.yaml,.yml,application/json,application/yaml"
            className="field file:mr-3 file:rounded file:border-0 file:bg-raised file:px-2 file:py-1 file:text-ink"
            onChange={(event) => {
              const chosen = event.target.files?.[0]
              if (!chosen) return
              setFile(chosen.name)
              void chosen.text().then(setText)
            }}
          />
        </div>
        <TextField
          label="Or its text"
          rows={10}
          spellCheck={false}
          className="font-mono text-xs"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Field
          label="Or an address to fetch it from"
          type="url"
          hint="Only public addresses are fetched."
          value={url}
          disabled={text.trim() !== ''}
          onChange={(event) => setUrl(event.target.value)}
        />
      </Form>
      {job ? <Result tenant={tenant} job={job} /> : null}
    </>
  )
}

/** Brings a document in: a file, a pasted text or an address. The job runs in the service; this waits for it. */
export const ImportPage = ({ tenant, project }: { tenant: string; project: string | null }) => {
  const identity = useQuery(identityQuery)
  return (
    <Page
      title={project === null ? 'Import a document' : `Import a version of ${project}`}
      description="OpenAPI, Swagger, Arazzo or JSON Schema, as JSON or YAML. It is linted and stored as a draft."
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
