import { useQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import type { Repository } from '../../../../src/api/repository-shapes.ts'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { count } from '../../parts/count.ts'
import { DangerConfirmation } from '../../parts/dialog.tsx'
import { Read } from '../../parts/listing.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx'
import { Moment, Page } from '../../parts/page.tsx'
import { Failure } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { Tabs } from '../../shell/tabs.tsx'
import { useRefresh, useScan } from './changes.ts'
import { Health, HealthReasons } from './health.tsx'
import { providerNames } from './providers.ts'
import { isScanning, repositoryQuery, type RepositoryAt } from './queries.ts'
import { useRemoval } from './removal.ts'
import { shortCommit } from './words.ts'

const About = ({ of: it }: { of: Repository }) => (
  <span className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
    {it.web_url === null ? (
      <span>{it.host}</span>
    ) : (
      <a href={it.web_url} target="_blank" rel="noreferrer" className="link inline-flex items-center gap-1">
        {providerNames[it.provider]}, {it.host}
        <ExternalLink size={13} aria-label="(opens in a new tab)" />
      </a>
    )}
    <span>{it.private ? 'private' : 'public'}</span>
    {it.last_scanned_at === null ? null : (
      <span>
        read <Moment at={it.last_scanned_at} />
        {it.last_commit_sha === null ? null : (
          <>
            {' '}
            at <code className="font-mono text-xs">{shortCommit(it.last_commit_sha)}</code>
          </>
        )}
      </span>
    )}
    {it.auto_refresh_enabled ? (
      it.next_poll_at === null ? null : (
        <span>
          polled next <Moment at={it.next_poll_at} />
        </span>
      )
    ) : (
      <span className="text-warn">not polled</span>
    )}
    {it.webhook.state === 'none' ? null : (
      <span className={it.webhook.state === 'failing' ? 'text-danger' : ''}>webhook {it.webhook.state}</span>
    )}
  </span>
)

/** What a refresh that was asked for amounts to. */
const Refreshed = ({ enqueued, skipped }: { enqueued: number; skipped: number }) => (
  <p role="status" className="card border-info bg-info-wash px-4 py-3 text-sm text-info">
    {enqueued === 0
      ? 'No imported file changed in the repository.'
      : `${count(enqueued, 'changed file is', 'changed files are')} being imported.`}
    {skipped > 0 ? ` ${count(skipped, 'file is', 'files are')} being refreshed already.` : ''}
  </p>
)

const Actions = ({
  it,
  mayDelete,
  scan,
  refresh,
}: {
  it: Repository
  mayDelete: boolean
  scan: ReturnType<typeof useScan>
  refresh: ReturnType<typeof useRefresh>
}) => {
  const { open } = useAddress()
  return (
    <>
      <Button look="primary" busy={refresh.isPending} onClick={() => refresh.mutate({})}>
        {refresh.isPending ? 'Refreshing …' : 'Refresh now'}
      </Button>
      <Menu align="end" look="plain" label="More">
        <MenuItem onClick={() => (isScanning(it) ? undefined : scan.mutate(it))}>Index the files again</MenuItem>
        {mayDelete ? (
          <>
            <MenuLine />
            <MenuItem onClick={() => open('delete')}>Remove …</MenuItem>
          </>
        ) : null}
      </Menu>
    </>
  )
}

/** One repository: the frame of its views. */
export const RepositoryPage = ({ at }: { at: RepositoryAt }) => {
  const { tenant } = at
  const repository = useQuery(repositoryQuery(at))
  const identity = useQuery(identityQuery)
  const { dialog, close } = useAddress()
  const scan = useScan(at)
  const refresh = useRefresh(at)
  const remove = useRemoval(at)
  const it = repository.data
  const may = holds(identity.data, tenant, 'repositories:edit')
  const mayDelete = holds(identity.data, tenant, 'repositories:delete')
  return (
    <Page
      trail={
        <Link to="/t/$tenant/-/repositories" params={{ tenant }} className="link">
          Repositories
        </Link>
      }
      title={it?.full_name ?? 'Repository'}
      badges={it ? <Health of={it} /> : null}
      description={it ? <About of={it} /> : null}
      actions={it && may ? <Actions it={it} mayDelete={mayDelete} scan={scan} refresh={refresh} /> : null}
    >
      <Read query={repository} what="the repository">
        {(record) => (
          <>
            {scan.error ? <Failure error={scan.error} /> : null}
            {refresh.error ? <Failure error={refresh.error} /> : null}
            {refresh.data && !refresh.isPending ? <Refreshed {...refresh.data} /> : null}
            {isScanning(record) ? null : <HealthReasons of={record} />}
            <Tabs of="repository" params={{ ...at }} />
            <Outlet />
            <DangerConfirmation
              open={dialog === 'delete' && mayDelete}
              onClose={close}
              title={`Remove ${record.full_name}?`}
              action="Remove"
              onConfirm={remove}
            >
              <p>
                It is no longer polled, its webhook is deleted, and drafts that are bound to it are released. What was
                imported stays, and nothing changes at {providerNames[record.provider]}. This cannot be undone.
              </p>
            </DangerConfirmation>
          </>
        )}
      </Read>
    </Page>
  )
}
