import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Output } from '../../../../src/api/endpoint.ts'
import type { repositoriesApi } from '../../../../src/api/repositories.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge, Severity } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { List, Row } from '../../parts/list.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Moment, Toolbar } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { historyQuery, type RepositoryAt } from './queries.ts'
import { outcomeNames, outcomeTones, shortCommit, triggerNames } from './words.ts'

type Entry = Output<typeof repositoriesApi.refreshHistory>['items'][number]

const Commits = ({ from_commit: from, to_commit: to }: Entry) => (
  <code className="font-mono text-xs">
    {from === null || from === to ? shortCommit(to) : `${shortCommit(from)} → ${shortCommit(to)}`}
  </code>
)

const countsOf = ({ counts }: NonNullable<Entry['change']>): string =>
  (['breaking', 'non-breaking', 'docs-only'] as const)
    .flatMap((it) => (counts[it] === 0 ? [] : [`${counts[it].toLocaleString()} ${it}`]))
    .join(', ')

const RefreshRow = ({ at, refresh }: { at: RepositoryAt; refresh: Entry }) => (
  <>
    <Row>
      <Link
        to="/t/$tenant/-/repositories/$repository/file"
        params={{ ...at }}
        search={{ branch: refresh.branch, path: refresh.path }}
        className="truncate font-mono text-xs hover:underline max-md:w-full"
        title={refresh.path}
      >
        {refresh.path}
      </Link>
      <Badge tone={outcomeTones[refresh.outcome]}>{outcomeNames[refresh.outcome]}</Badge>
      <span className="truncate text-soft">
        {refresh.change?.severity === null ? 'no changes' : null}
        {refresh.change?.severity ? (
          <>
            <Severity severity={refresh.change.severity} /> {countsOf(refresh.change)}
          </>
        ) : null}
      </span>
      <span className="truncate text-soft">
        {refresh.branch} <Commits {...refresh} />
      </span>
      <span className="truncate">
        {refresh.version_id !== null && refresh.project_slug !== null ? (
          <Link
            to="/t/$tenant/$project/$version"
            params={{ tenant: at.tenant, project: refresh.project_slug, version: refresh.version_id }}
            className="hover:underline"
          >
            {refresh.project_slug} {refresh.version_label}
          </Link>
        ) : null}
      </span>
      <span className="truncate text-soft">{triggerNames[refresh.trigger]}</span>
      <span className="text-soft">
        <Moment at={refresh.finished_at} />
      </span>
    </Row>
    {refresh.error === null ? null : <li className="px-4 py-1.5 text-sm wrap-anywhere text-danger">{refresh.error}</li>}
  </>
)

/** What became of the imports and refreshes of the files of a repository, newest first. */
export const HistoryView = ({ at, path, offset }: { at: RepositoryAt; path: string; offset: number }) => {
  const history = useQuery(historyQuery(at, path, offset))
  const { filter, move } = useAddress()
  return (
    <section aria-label="History" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Toolbar>
        {path === '' ? (
          <p className="text-sm text-soft">Imports and refreshes, newest first.</p>
        ) : (
          <p className="flex min-w-0 flex-wrap items-center gap-2 text-sm">
            Only <code className="min-w-0 font-mono text-xs break-all">{path}</code>
            <Button onClick={() => filter({ path: undefined })}>Show all files</Button>
          </p>
        )}
        <CommandHint command={svcCommand(at.tenant, ['repository', 'history', at.repository], { path })} />
      </Toolbar>
      <Listing
        query={history}
        what="the history"
        one="refresh"
        filtered={path !== ''}
        onClear={() => filter({ path: undefined })}
        onMove={move}
        empty={
          <Empty title="Nothing was imported yet">
            <p>Choose a file on the tab Files and import it.</p>
          </Empty>
        }
      >
        {(items) => (
          <List
            label="Refreshes"
            columns="minmax(0,1.3fr) 8rem minmax(0,1.2fr) minmax(0,1.2fr) minmax(0,1fr) minmax(0,8rem) 7rem"
            heads={['File', 'Outcome', 'Change', 'Commits', 'Version', 'By', 'When']}
          >
            {items.map((it) => (
              <RefreshRow key={it.id} at={at} refresh={it} />
            ))}
          </List>
        )}
      </Listing>
    </section>
  )
}
