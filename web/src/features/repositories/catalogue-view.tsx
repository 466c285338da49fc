import type { Output } from '../../../../src/api/endpoint.ts'
import type { repositoriesApi } from '../../../../src/api/repositories.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { catalogSorts, type CatalogSpec } from '../../../../src/api/repository-shapes.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { bytesWords, count } from '../../parts/text.ts'
import { Choices } from '../../parts/choices.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Toolbar } from '../../parts/page.tsx'
import { Picker } from '../../parts/picker.tsx'
import { SearchField } from '../../parts/fields.tsx'
import { Empty } from '../../parts/states.tsx'
import { ImportedTo } from './marks.tsx'
import { type CatalogFilter, catalogQuery, repositoriesQuery } from './queries.ts'
import { kindNames } from './words.ts'

const Row = ({ tenant, spec }: { tenant: string; spec: CatalogSpec }) => (
  <li className="grid items-center gap-x-4 gap-y-1 px-4 py-2.5 sm:grid-cols-[minmax(0,1fr)_auto]">
    <div className="grid min-w-0 gap-0.5">
      <Link
        to="/t/$tenant/-/repositories/$repository/file"
        params={{ tenant, repository: spec.repository_id }}
        search={{ branch: spec.branch, path: spec.path }}
        className="link inline-flex min-h-6 min-w-0 items-center font-mono text-[0.8125rem] break-all"
      >
        {spec.path}
      </Link>
      <p className="flex flex-wrap items-center gap-x-3 text-xs text-soft">
        <Link
          to="/t/$tenant/-/repositories/$repository"
          params={{ tenant, repository: spec.repository_id }}
          className="inline-flex min-h-6 items-center hover:underline"
        >
          {spec.repository_full_name}
        </Link>
        <span>{spec.branch}</span>
        {spec.size_bytes === null ? null : <span>{bytesWords(spec.size_bytes)}</span>}
      </p>
    </div>
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 sm:justify-end">
      {spec.project_id !== null && spec.version_id !== null && spec.refresh_status !== null ? (
        <ImportedTo
          tenant={tenant}
          imported={{
            project_id: spec.project_id,
            version_id: spec.version_id,
            refresh_status: spec.refresh_status,
            project_slug: spec.project_slug,
            version_label: spec.version_label,
          }}
        />
      ) : (
        <span className="text-xs text-soft">not imported</span>
      )}
      <Badge tone="accent">{kindNames[spec.kind] ?? spec.kind}</Badge>
    </div>
  </li>
)

const sortNames: Readonly<Record<(typeof catalogSorts)[number], string>> = {
  repository: 'Repository, A to Z',
  '-repository': 'Repository, Z to A',
  path: 'Path',
  kind: 'Kind',
}

const countOf = (counts: Readonly<Record<string, number>> | undefined, value: string) =>
  counts === undefined ? {} : { count: counts[value] ?? 0 }

/** What narrows the catalogue, each choice with the number of specifications that it leaves. */
const CatalogFilters = ({
  tenant,
  given,
  facets,
}: {
  tenant: string
  given: CatalogFilter
  facets: Output<typeof repositoriesApi.specCatalog>['facets'] | undefined
}) => {
  const repositories = useQuery(repositoriesQuery(tenant))
  const { filter } = useAddress()
  const kinds = Object.keys(kindNames).filter((it) => given.kind === it || (facets?.kind[it] ?? 0) > 0)
  return (
    <>
      <div className="grid items-end gap-3 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_auto]">
        <SearchField label="Search paths and repositories" value={given.q} onChange={(q) => filter({ q })} />
        <Picker
          label="Repository"
          value={given.repository}
          placeholder="All repositories"
          options={[
            { value: '', name: 'All repositories' },
            ...(repositories.data ?? []).map((it) => ({
              value: it.id,
              name: it.full_name,
              detail: count(facets?.repository[it.full_name] ?? 0, 'specification', 'specifications'),
            })),
          ]}
          onChoose={(repository) => filter({ repository })}
        />
        <label className="grid gap-1 text-sm font-medium">
          Order
          <select
            className="field w-auto font-normal"
            value={given.sort === '' ? 'repository' : given.sort}
            onChange={(event) => filter({ sort: event.target.value === 'repository' ? '' : event.target.value })}
          >
            {catalogSorts.map((it) => (
              <option key={it} value={it}>
                {sortNames[it]}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Toolbar>
        <span className="flex flex-wrap gap-x-6 gap-y-2">
          <Choices
            label="Kind"
            value={given.kind === '' ? null : given.kind}
            choices={kinds.map((it) => ({ value: it, name: kindNames[it] ?? it, ...countOf(facets?.kind, it) }))}
            onChange={(kind) => filter({ kind: kind ?? '' })}
          />
          <Choices
            label="Import"
            value={given.imported === '' ? null : given.imported}
            choices={[
              { value: 'yes', name: 'Imported', ...countOf(facets?.imported, 'true') },
              { value: 'no', name: 'Not imported', ...countOf(facets?.imported, 'false') },
            ]}
            onChange={(imported) => filter({ imported: imported ?? '' })}
          />
        </span>
        <CommandHint command={svcCommand(tenant, ['repository', 'catalog'], { search: given.q, kind: given.kind })} />
      </Toolbar>
    </>
  )
}

/** The API descriptions on the default branches of all repositories, with facets. */
export const CatalogueView = ({ tenant, given, offset }: { tenant: string; given: CatalogFilter; offset: number }) => {
  const catalog = useQuery(catalogQuery(tenant, given, offset))
  const { filter, move } = useAddress()
  const total = catalog.data?.catalog_total
  const isFiltered = given.q !== '' || given.kind !== '' || given.repository !== '' || given.imported !== ''
  const clear = (): void => filter({ q: '', kind: '', repository: '', imported: '' })
  return (
    <section aria-label="Specifications" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <CatalogFilters tenant={tenant} given={given} facets={catalog.data?.facets} />
      <Listing
        query={catalog}
        what="the specifications"
        one="specification"
        filtered={isFiltered}
        onClear={clear}
        onMove={move}
        empty={
          <Empty title="No specifications yet">
            <p>The API descriptions of registered repositories appear here as soon as they were read.</p>
          </Empty>
        }
      >
        {(items) => (
          <>
            <p role="status" className="text-sm text-soft">
              {isFiltered ? `${(catalog.data?.total ?? 0).toLocaleString()} of ` : ''}
              {count(total ?? 0, 'specification', 'specifications')}
            </p>
            <ul className="card divide-y" aria-label="Specifications">
              {items.map((it) => (
                <Row key={`${it.repository_id} ${it.file_id}`} tenant={tenant} spec={it} />
              ))}
            </ul>
          </>
        )}
      </Listing>
    </section>
  )
}
