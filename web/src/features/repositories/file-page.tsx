import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { RepositoryFile } from '../../../../src/api/repository-shapes.ts'
import { useAddress } from '../../parts/address.ts'
import { Button, buttonClass } from '../../parts/button.tsx'
import { bytesWords } from '../../parts/text.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { Window } from '../../parts/dialog.tsx'
import { Read } from '../../parts/listing.tsx'
import { Empty, Failure, Notice } from '../../parts/states.tsx'
import { Facts, Page } from '../../parts/page.tsx'
import { Lines } from '../../parts/source-frame.tsx'
import { holds, identityQuery } from '../../session.ts'
import { useRefresh } from './changes.ts'
import { FileMarks, ImportedTo } from './marks.tsx'
import { FilePolicy } from './file-policy.tsx'
import { contentQuery, fileQuery, type RepositoryAt, repositoryParams, repositoryQuery } from './queries.ts'
import { reasonTitles, shortCommit } from './words.ts'
import { useState } from 'react'
import { type ImportJob, importsApi } from '../../../../src/api/imports.ts'
import { repositoriesApi } from '../../../../src/api/repositories.ts'
import { call } from '../../call.ts'
import { CheckField, Field, Form, RadioField, useForm } from '../../parts/form.tsx'
import { ImportResult } from '../import/import-result.tsx'
import { ProjectPicker } from '../catalog/pickers.tsx'

const targets = [
  { value: 'new', name: 'The project of the document', detail: 'Found by its title, or created.' },
  { value: 'project', name: 'A project that you choose' },
] as const
type Target = (typeof targets)[number]['value']

/** Imports a file of a repository, and says whether it is imported again when it changes. */
const ImportFile = ({ at, file, onClose }: { at: RepositoryAt; file: RepositoryFile; onClose: () => void }) => {
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

const Trail = ({ at, name, branch, path }: { at: RepositoryAt; name: string; branch: string; path: string }) => {
  const folders = path.split('/').slice(0, -1)
  return (
    <>
      <Link to="/t/$tenant/-/repositories" params={{ tenant: at.tenant }} className="link">
        Repositories
      </Link>
      <span aria-hidden="true">/</span>
      <Link
        to="/t/$tenant/-/repositories/$repository"
        params={{ ...at }}
        search={{ branch }}
        className="link wrap-anywhere"
      >
        {name}
      </Link>
      {folders.map((name, index) => (
        <span key={`${index} ${name}`} className="inline-flex gap-x-2">
          <span aria-hidden="true">/</span>
          <span className="break-all">{name}</span>
        </span>
      ))}
    </>
  )
}

const About = ({ at, file, commit }: { at: RepositoryAt; file: RepositoryFile; commit: string }) => (
  <div className="card p-4">
    <Facts
      facts={[
        ['Branch', file.branch],
        [
          'Commit',
          <code key="commit" className="font-mono text-xs">
            {shortCommit(commit)}
          </code>,
        ],
        ['Size', file.size_bytes === null ? null : bytesWords(file.size_bytes)],
        ['Imported to', file.import ? <ImportedTo tenant={at.tenant} imported={file.import} /> : null],
        ['Importing', file.reason === null ? null : reasonTitles[file.reason]],
      ]}
    />
  </div>
)

/** What the repository has, read from its provider when the page is opened. */
const Content = ({ at, file }: { at: RepositoryAt; file: RepositoryFile }) => {
  const read = useQuery(contentQuery(at, file.branch, file.path))
  return (
    <Read query={read} what="the content">
      {({ encoding, content }) =>
        encoding === 'utf-8' ? (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
            <div className="flex items-center justify-between gap-3">
              <h2 className="font-semibold">Content</h2>
              <CopyButton text={content} what="the content" />
            </div>
            <Lines label={`Content of ${file.path}`} text={content} line={null} />
          </div>
        ) : (
          <p className="card px-4 py-6 text-center text-soft">This file is not text.</p>
        )
      }
    </Read>
  )
}

/** What can be done with a file. */
const FileActions = ({
  at,
  file,
  refresh,
  mayEdit,
  mayImport,
}: {
  at: RepositoryAt
  file: RepositoryFile
  refresh: ReturnType<typeof useRefresh>
  mayEdit: boolean
  mayImport: boolean
}) => {
  const { open } = useAddress()
  const { branch, path } = file
  return (
    <>
      <Link
        to="/t/$tenant/-/repositories/$repository/history"
        params={{ ...at }}
        search={{ path }}
        className={buttonClass()}
      >
        History
      </Link>
      {file.import && mayEdit ? (
        <Button busy={refresh.isPending} onClick={() => refresh.mutate({ branch, path })}>
          {refresh.isPending ? 'Refreshing …' : 'Refresh now'}
        </Button>
      ) : null}
      {file.importable && mayImport ? (
        <Button look={file.import ? 'plain' : 'primary'} onClick={() => open('import')}>
          {file.import ? 'Import again …' : 'Import …'}
        </Button>
      ) : null}
    </>
  )
}

const NoFile = ({ at, branch }: { at: RepositoryAt; branch: string }) => (
  <Empty title="This branch does not have the file">
    <p>It may have been moved or deleted since.</p>
    <Link to="/t/$tenant/-/repositories/$repository" params={{ ...at }} search={{ branch }} className={buttonClass()}>
      Files of the branch
    </Link>
  </Empty>
)

/** One file of a repository: its content, what it was imported to, and importing it. */
export const FilePage = ({ at, branch, path }: { at: RepositoryAt; branch: string; path: string }) => {
  const { tenant } = at
  const repository = useQuery(repositoryQuery(at))
  const found = useQuery(fileQuery(at, branch, path))
  const identity = useQuery(identityQuery)
  const { dialog, close } = useAddress()
  const refresh = useRefresh(at)
  const mayImport = holds(identity.data, tenant, 'versions:edit')
  const mayEdit = holds(identity.data, tenant, 'repositories:edit')
  const file = found.data?.file
  const name = path.split('/').at(-1) ?? path
  return (
    <Page
      trail={<Trail at={at} name={repository.data?.full_name ?? 'repository'} branch={branch} path={path} />}
      title={name}
      badges={file ? <FileMarks of={file} /> : null}
      actions={
        file ? <FileActions at={at} file={file} refresh={refresh} mayEdit={mayEdit} mayImport={mayImport} /> : null
      }
    >
      {refresh.error ? <Failure error={refresh.error} /> : null}
      {refresh.data ? (
        <Notice
          tone="info"
          title={refresh.data.enqueued > 0 ? 'The changed file is being imported' : 'The file did not change'}
        />
      ) : null}
      <Read query={found} what="the file">
        {({ file: entry, commit_sha: commit }) =>
          entry === null ? (
            <NoFile at={at} branch={branch} />
          ) : (
            <>
              <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
                <About at={at} file={entry} commit={commit} />
                {entry.import ? <FilePolicy at={at} file={entry} may={mayEdit} /> : null}
              </div>
              {entry.reason === 'symlink' || entry.reason === 'submodule' ? null : <Content at={at} file={entry} />}
              <Window open={dialog === 'import' && mayImport} onClose={close} title={`Import ${name}`}>
                <ImportFile at={at} file={entry} onClose={close} />
              </Window>
            </>
          )
        }
      </Read>
    </Page>
  )
}
