import type { Output } from '../../../../src/api/endpoint.ts'
import type { repositoriesApi } from '../../../../src/api/repositories.ts'
import { type FilePreset, filePresets, type Repository } from '../../../../src/api/repository-shapes.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { Choices } from '../../parts/choices.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { count } from '../../parts/text.ts'
import { CheckField } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { Empty, NoMatch, Notice } from '../../parts/states.tsx'
import { Toolbar } from '../../parts/page.tsx'
import { SearchField } from '../../parts/fields.tsx'
import { FileMarks, ImportedTo } from './marks.tsx'
import { FilesTree } from './files-tree.tsx'
import {
  type FileFilter,
  folderQuery,
  foundFilesQuery,
  isScanning,
  readPreset,
  type RepositoryAt,
  repositoryQuery,
} from './queries.ts'
import { presetNames, shortCommit } from './words.ts'

/** The files whose paths contain what was searched for, as a list. */
const Found = ({ at, filter, q }: { at: RepositoryAt; filter: FileFilter; q: string }) => {
  const found = useQuery(foundFilesQuery(at, filter, q))
  const { filter: change } = useAddress()
  return (
    <Read query={found} what="the files">
      {({ files, total }) =>
        files.length === 0 ? (
          <NoMatch what="file" onClear={() => change({ q: '' })} />
        ) : (
          <>
            <p role="status" className="text-sm text-soft">
              {count(total, 'file', 'files')}
              {files.length < total ? `, the first ${files.length} are shown` : ''}
            </p>
            <ul className="card divide-y" aria-label="Found files">
              {files.map((file) => (
                <li key={file.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-sm">
                  <Link
                    to="/t/$tenant/-/repositories/$repository/file"
                    params={{ ...at }}
                    search={{ branch: file.branch, path: file.path }}
                    className="link min-w-0 font-mono text-[0.8125rem] break-all"
                  >
                    {file.path}
                  </Link>
                  <FileMarks of={file} />
                  <span className="ml-auto">
                    {file.import ? <ImportedTo tenant={at.tenant} imported={file.import} /> : null}
                  </span>
                </li>
              ))}
            </ul>
          </>
        )
      }
    </Read>
  )
}

const Nothing = ({ preset, isFailing }: { preset: FilePreset; isFailing: boolean }) => {
  const { filter } = useAddress()
  // What could not be read says nothing about what is in it.
  if (isFailing)
    return (
      <Empty title="No files were read">
        <p>The reason is above. The service tries again automatically.</p>
      </Empty>
    )
  return (
    <Empty title={preset === 'all' ? 'No files' : 'No files of this kind on this branch'}>
      <p>
        {preset === 'specs'
          ? 'No OpenAPI, Swagger, Arazzo, JSON Schema or MCP document was recognized.'
          : 'Choose another kind, or another branch.'}
      </p>
      {preset === 'all' ? null : <Button onClick={() => filter({ preset: 'all' })}>Show all files</Button>}
    </Empty>
  )
}

type Head = Pick<Output<typeof repositoriesApi.tree>, 'branch' | 'branches'>

/** The branch, and which of its files are shown. */
const FilesBar = ({ at, filter, head, q }: { at: RepositoryAt; filter: FileFilter; head: Head; q: string }) => {
  const { filter: change } = useAddress()
  const options = { branch: filter.branch, preset: filter.preset === 'all' ? '' : filter.preset }
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <label className="flex min-w-0 items-center gap-2 text-sm">
          Branch
          <select
            className="field w-auto max-w-64 min-w-0"
            value={head.branch}
            onChange={(event) => change({ branch: event.target.value })}
          >
            {head.branches.map((it) => (
              <option key={it} value={it}>
                {it}
              </option>
            ))}
          </select>
        </label>
        <div className="min-w-0 grow basis-60">
          <SearchField label="Search paths" value={q} onChange={(text) => change({ q: text })} />
        </div>
        <CommandHint command={svcCommand(at.tenant, ['repository', 'files', at.repository], options)} />
      </div>
      <Toolbar>
        <Choices
          label="Kind of files"
          value={filter.preset}
          choices={[
            'specs' as const,
            ...filePresets.filter((it) => it !== 'all' && it !== 'specs'),
            'all' as const,
          ].map((it) => ({
            value: it,
            name: presetNames[it],
          }))}
          onChange={(next) => change({ preset: next === null || next === 'specs' ? '' : next })}
        />
        <span className="flex flex-wrap items-baseline gap-x-4 gap-y-1 text-sm">
          <Link
            to="/t/$tenant/-/repositories/specifications"
            params={{ tenant: at.tenant }}
            search={{ repository: at.repository, imported: 'no' }}
            className="link"
          >
            Import several
          </Link>
          <CheckField checked={filter.vendored} onChange={(on) => change({ vendored: on ? 'yes' : '' })}>
            Vendored
          </CheckField>
          <CheckField checked={filter.hidden} onChange={(on) => change({ hidden: on ? 'yes' : '' })}>
            Hidden
          </CheckField>
        </span>
      </Toolbar>
    </>
  )
}

const NotRead = ({ repository }: { repository: Repository }) =>
  isScanning(repository) ? (
    <Empty title="Reading the repository">
      <p role="status">Its branches and files are being indexed. This page shows them as soon as they are.</p>
    </Empty>
  ) : (
    <Empty title="Not read yet">
      <p>The reason is above. The service tries again automatically.</p>
    </Empty>
  )

/** The files of a branch: a tree, or what was searched for. */
export const FilesView = ({
  at,
  shown,
  q,
}: {
  at: RepositoryAt
  shown: Omit<FileFilter, 'preset'> & { readonly preset: string }
  q: string
}) => {
  const filter: FileFilter = { ...shown, preset: readPreset(shown.preset) }
  const repository = useQuery(repositoryQuery(at))
  const isFirst = repository.data?.last_scanned_at === null
  const top = useQuery({ ...folderQuery(at, filter, '', 0), enabled: repository.data !== undefined && !isFirst })
  if (repository.data && isFirst) return <NotRead repository={repository.data} />
  return (
    <Read query={top} what="the files">
      {(head) => (
        <section aria-label="Files" className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <FilesBar at={at} filter={filter} head={head} q={q} />
          {head.files_truncated ? (
            <Notice tone="warn" title="This branch has more than 100,000 files">
              <p>The others are not listed.</p>
            </Notice>
          ) : null}
          {q === '' ? (
            <>
              <p role="status" className="text-sm text-soft">
                {count(head.files_total, 'file', 'files')} at{' '}
                <code className="font-mono text-xs">{shortCommit(head.commit_sha)}</code>
              </p>
              {head.total === 0 ? (
                <Nothing preset={filter.preset} isFailing={repository.data?.health.badge === 'failing'} />
              ) : (
                <FilesTree
                  key={JSON.stringify([filter, head.commit_sha])}
                  at={at}
                  filter={filter}
                  commit={head.commit_sha}
                />
              )}
            </>
          ) : (
            <Found at={at} filter={filter} q={q} />
          )}
        </section>
      )}
    </Read>
  )
}
