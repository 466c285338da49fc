import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import type { Repository } from '../../../../src/api/repository-shapes.ts'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { count } from '../../parts/text.ts'
import { Read } from '../../parts/listing.tsx'
import { Moment, Toolbar } from '../../parts/page.tsx'
import { SearchField } from '../../parts/fields.tsx'
import { Empty, needs, NoMatch } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { Health } from './marks.tsx'
import { isScanning, repositoriesQuery } from './queries.ts'

const Row = ({ tenant, repository }: { tenant: string; repository: Repository }) => (
  <li className="relative grid gap-1 px-4 py-3 hover:bg-raised">
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <h2 className="min-w-0">
        <Link
          to="/t/$tenant/-/repositories/$repository"
          params={{ tenant, repository: repository.id }}
          className="font-semibold wrap-anywhere after:absolute after:inset-0"
        >
          {repository.full_name}
        </Link>
      </h2>
      {repository.private ? <Lock size={14} className="text-soft" aria-label="private" role="img" /> : null}
      <Health of={repository} />
      {repository.auto_refresh_enabled ? null : <span className="text-sm text-soft">not polled</span>}
    </div>
    <p className="flex flex-wrap gap-x-4 gap-y-0.5 text-sm text-soft">
      <span>{repository.host}</span>
      {repository.last_scanned_at === null ? null : (
        <>
          <span>
            {count(repository.files_indexed, 'file', 'files')} on{' '}
            {count(repository.branches_indexed, 'branch', 'branches')}
          </span>
          <span>
            read <Moment at={repository.last_scanned_at} />
          </span>
        </>
      )}
    </p>
    {isScanning(repository)
      ? null
      : repository.health.reasons.map(({ code, message }) => (
          <p
            key={code}
            className={`text-sm wrap-anywhere ${repository.health.badge === 'failing' ? 'text-danger' : 'text-warn'}`}
          >
            {message}
          </p>
        ))}
  </li>
)

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
            <ul className="card divide-y overflow-hidden" aria-label="Repositories">
              {shown.map((it) => (
                <Row key={it.id} tenant={tenant} repository={it} />
              ))}
            </ul>
          )
        }}
      </Read>
    </>
  )
}
