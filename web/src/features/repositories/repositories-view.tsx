import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import type { Repository } from '../../../../src/api/repository-shapes.ts'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { count } from '../../parts/text.ts'
import { List, Row } from '../../parts/list.tsx'
import { Read } from '../../parts/listing.tsx'
import { Moment, Toolbar } from '../../parts/page.tsx'
import { SearchField } from '../../parts/fields.tsx'
import { Empty, needs, NoMatch } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { Health } from './marks.tsx'
import { isScanning, repositoriesQuery } from './queries.ts'

const RepositoryRow = ({ tenant, repository }: { tenant: string; repository: Repository }) => {
  const reasons = isScanning(repository) ? '' : repository.health.reasons.map(({ message }) => message).join(' · ')
  return (
    <Row>
      <span className="flex min-w-0 items-center gap-2 max-md:w-full">
        <h2 className="min-w-0 truncate" title={repository.full_name}>
          <Link
            to="/t/$tenant/-/repositories/$repository"
            params={{ tenant, repository: repository.id }}
            className="font-semibold after:absolute after:inset-0"
          >
            {repository.full_name}
          </Link>
        </h2>
        {repository.private ? <Lock size={14} className="shrink-0 text-soft" aria-label="private" role="img" /> : null}
      </span>
      <span className="truncate text-soft">{repository.host}</span>
      <Health of={repository} />
      <span
        className={`truncate max-md:w-full max-md:whitespace-normal ${repository.health.badge === 'failing' ? 'text-danger' : 'text-warn'}`}
        title={reasons}
      >
        {reasons}
      </span>
      <span className="truncate text-soft">
        {repository.last_scanned_at === null
          ? ''
          : `${count(repository.files_indexed, 'file', 'files')} on ${count(repository.branches_indexed, 'branch', 'branches')}`}
      </span>
      <span className="text-soft">
        {repository.last_scanned_at === null ? null : (
          <>
            read <Moment at={repository.last_scanned_at} />
          </>
        )}
        {repository.auto_refresh_enabled ? '' : ' · not polled'}
      </span>
    </Row>
  )
}

const NoRepositories = ({ may }: { may: boolean }) => {
  const { open } = useAddress()
  return (
    <Empty title="No repositories yet">
      <p>
        Add a repository: the service lists the API descriptions in it, imports the ones you choose, and imports them
        again when they change. The service needs no incoming connections.
      </p>
      {may ? (
        <Button look="primary" onClick={() => open('new')}>
          Add a repository …
        </Button>
      ) : (
        <p>{needs('repositories:edit', 'Adding one')}</p>
      )}
    </Empty>
  )
}

/** The registered repositories with their health, newest first. */
export const RepositoriesView = ({ tenant, q }: { tenant: string; q: string }) => {
  const repositories = useQuery(repositoriesQuery(tenant))
  const identity = useQuery(identityQuery)
  const { filter } = useAddress()
  const may = holds(identity.data, tenant, 'repositories:edit')
  return (
    <>
      <Toolbar>
        <div className="min-w-0 grow basis-60">
          <SearchField label="Search repositories" value={q} onChange={(text) => filter({ q: text })} />
        </div>
        <CommandHint command={svcCommand(tenant, ['repository', 'list'])} />
      </Toolbar>
      <Read query={repositories} what="the repositories">
        {(all) => {
          const shown = all.filter((it) => `${it.host}/${it.full_name}`.includes(q.toLowerCase()))
          if (all.length === 0) return <NoRepositories may={may} />
          if (shown.length === 0) return <NoMatch what="repository" onClear={() => filter({ q: '' })} />
          return (
            <List
              label="Repositories"
              columns="minmax(0,1.5fr) minmax(0,8rem) 8rem minmax(0,1.2fr) minmax(0,1fr) minmax(0,1fr)"
              heads={['Repository', 'Host', 'Health', 'Reason', 'Specifications', 'Read']}
            >
              {shown.map((it) => (
                <RepositoryRow key={it.id} tenant={tenant} repository={it} />
              ))}
            </List>
          )
        }}
      </Read>
    </>
  )
}
