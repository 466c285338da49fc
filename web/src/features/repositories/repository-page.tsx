import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import type { Repository } from '../../../../src/api/repository-shapes.ts'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { count } from '../../parts/text.ts'
import { DangerConfirmation } from '../../parts/dialog.tsx'
import { Read } from '../../parts/listing.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx'
import { Moment, Page } from '../../parts/page.tsx'
import { Failure } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { Tabs } from '../../routing/tabs.tsx'
import { useRefresh, useScan } from './changes.ts'
import { Health, HealthReasons } from './marks.tsx'
import { providerNames } from '../git-providers/providers.ts'
import { dropRepository, isScanning, type RepositoryAt, repositoryParams, repositoryQuery } from './queries.ts'
import { shortCommit } from './words.ts'
import { repositoriesApi } from '../../../../src/api/repositories.ts'
import { call } from '../../call.ts'
import { refreshRepositories } from '../git-providers/queries.ts'

/** Removes the registration of a repository, and shows the list without it. */
const useRemoval = (at: RepositoryAt) => {
  const navigate = useNavigate()
  const { tenant } = at
  return async (): Promise<void> => {
    await call(repositoriesApi.remove, { params: repositoryParams(at) })
    dropRepository(at)
    await navigate({ to: '/t/$tenant/-/repositories', params: { tenant }, replace: true })
    await refreshRepositories(tenant)
  }
}

const About = ({ of: repository }: { of: Repository }) => (
  <span className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
    {repository.web_url === null ? (
      <span>{repository.host}</span>
    ) : (
      <a href={repository.web_url} target="_blank" rel="noreferrer" className="link inline-flex items-center gap-1">
        {providerNames[repository.provider]}, {repository.host}
        <ExternalLink size={13} aria-label="(opens in a new tab)" />
      </a>
    )}
    <span>{repository.private ? 'private' : 'public'}</span>
    {repository.last_scanned_at === null ? null : (
      <span>
        read <Moment at={repository.last_scanned_at} />
        {repository.last_commit_sha === null ? null : (
          <>
            {' '}
            at <code className="font-mono text-xs">{shortCommit(repository.last_commit_sha)}</code>
          </>
        )}
      </span>
    )}
    {repository.auto_refresh_enabled ? null : <span className="text-warn">not polled</span>}
    {repository.auto_refresh_enabled && repository.next_poll_at !== null ? (
      <span>
        next poll <Moment at={repository.next_poll_at} />
      </span>
    ) : null}
    {repository.webhook.state === 'none' ? null : (
      <span className={repository.webhook.state === 'failing' ? 'text-danger' : ''}>
        webhook {repository.webhook.state}
      </span>
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
  repository,
  mayDelete,
  scan,
  refresh,
}: {
  repository: Repository
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
        <MenuItem onClick={() => (isScanning(repository) ? undefined : scan.mutate(repository))}>
          Index the files again
        </MenuItem>
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
      actions={it && may ? <Actions repository={it} mayDelete={mayDelete} scan={scan} refresh={refresh} /> : null}
    >
      <Read query={repository} what="the repository">
        {(record) => (
          <>
            {scan.error ? <Failure error={scan.error} /> : null}
            {refresh.error ? <Failure error={refresh.error} /> : null}
            {refresh.data && !refresh.isPending ? <Refreshed {...refresh.data} /> : null}
            {isScanning(record) ? null : (
              <HealthReasons
                tenant={tenant}
                of={record}
                onCheck={may ? () => scan.mutate(record) : null}
                isChecking={scan.isPending}
              />
            )}
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
