import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { RepositoryFile } from '../../../../src/api/repository-shapes.ts'
import { useAddress } from '../../parts/address.ts'
import { Button, buttonClass } from '../../parts/button.tsx'
import { bytesWords } from '../../parts/bytes.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { Window } from '../../parts/dialog.tsx'
import { Read } from '../../parts/listing.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Facts, Page } from '../../parts/page.tsx'
import { Lines } from '../../parts/source-lines.tsx'
import { Empty, Failure } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { useRefresh } from './changes.ts'
import { FileMarks, ImportedTo } from './file-marks.tsx'
import { FilePolicy } from './file-policy.tsx'
import { ImportFile } from './import-file.tsx'
import { contentQuery, fileQuery, type RepositoryAt, repositoryQuery } from './queries.ts'
import { reasonTitles, shortCommit } from './words.ts'

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
      {folders.map((it, index) => (
        <span key={`${index} ${it}`} className="inline-flex gap-x-2">
          <span aria-hidden="true">/</span>
          <span className="break-all">{it}</span>
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
        ['Imported to', file.import ? <ImportedTo tenant={at.tenant} it={file.import} /> : null],
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

/** One file of a repository: its content, what it was imported to, and importing it. */
export const FilePage = ({ at, branch, path }: { at: RepositoryAt; branch: string; path: string }) => {
  const { tenant } = at
  const repository = useQuery(repositoryQuery(at))
  const found = useQuery(fileQuery(at, branch, path))
  const identity = useQuery(identityQuery)
  const { dialog, open, close } = useAddress()
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
        file ? (
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
        ) : null
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
        {({ file: it, commit_sha: commit }) =>
          it === null ? (
            <Empty title="This branch does not have the file">
              <p>It may have been moved or deleted since.</p>
              <Link
                to="/t/$tenant/-/repositories/$repository"
                params={{ ...at }}
                search={{ branch }}
                className={buttonClass()}
              >
                Files of the branch
              </Link>
            </Empty>
          ) : (
            <>
              <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
                <About at={at} file={it} commit={commit} />
                {it.import ? <FilePolicy at={at} file={it} may={mayEdit} /> : null}
              </div>
              {it.reason === 'symlink' || it.reason === 'submodule' ? null : <Content at={at} file={it} />}
              <Window open={dialog === 'import' && mayImport} onClose={close} title={`Import ${name}`}>
                <ImportFile at={at} file={it} onClose={close} />
              </Window>
            </>
          )
        }
      </Read>
    </Page>
  )
}
