import type { Output } from '../../../../src/api/endpoint.ts'
import type { repositoriesApi } from '../../../../src/api/repositories.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId } from 'react'
import { catalogSorts } from '../../../../src/api/repository-shapes.ts'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { count } from '../../parts/text.ts'
import { Choices } from '../../parts/choices.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Toolbar } from '../../parts/page.tsx'
import { Picker } from '../../parts/picker.tsx'
import { SearchField } from '../../parts/fields.tsx'
import { Empty, Failure } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { type Selection, useSelection } from '../projects/selection.ts'
import { importActionId, jobsWord, planImports } from './import-files.ts'
import { type CatalogFilter, catalogQuery, repositoriesQuery } from './queries.ts'
import { SpecificationTable } from './specification-table.tsx'
import { kindNames } from './words.ts'

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

/** What is ticked, and the import of it: a bar that stays in sight below the list. */
const ChosenBar = ({ tenant, selection }: { tenant: string; selection: Selection }) => {
  const navigate = useNavigate()
  const plan = useMutation({
    scope: { id: useId() },
    mutationFn: async () => {
      const jobs = await planImports(tenant, selection.ids)
      await navigate({ to: '/t/$tenant/-/repositories/import', params: { tenant }, search: { plan: jobsWord(jobs) } })
    },
  })
  return (
    <div
      role="region"
      aria-label="Chosen specifications"
      className="float sticky bottom-3 z-20 flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3"
    >
      <p className="text-sm" role="status">
        {count(selection.count, 'specification', 'specifications')} chosen
        <span className="sr-only">. Press Enter on a check box to go to the actions.</span>
      </p>
      <span className="grow" />
      {plan.error ? <Failure error={plan.error} /> : null}
      <Button look="quiet" onClick={selection.clear}>
        Clear
      </Button>
      <span id={importActionId}>
        <Button look="primary" busy={plan.isPending} onClick={() => plan.mutate()}>
          Import {selection.count.toLocaleString()} …
        </Button>
      </span>
    </div>
  )
}

/** The API descriptions on the default branches of all repositories, with facets. */
export const CatalogueView = ({ tenant, given, offset }: { tenant: string; given: CatalogFilter; offset: number }) => {
  const catalog = useQuery(catalogQuery(tenant, given, offset))
  const { filter, move } = useAddress()
  const total = catalog.data?.catalog_total
  const isFiltered = given.q !== '' || given.kind !== '' || given.repository !== '' || given.imported !== ''
  const clear = (): void => filter({ q: '', kind: '', repository: '', imported: '' })
  const identity = useQuery(identityQuery)
  const may = holds(identity.data, tenant, 'versions:edit')
  const selection = useSelection(JSON.stringify(given), catalog.data?.total ?? 0)
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
            <SpecificationTable tenant={tenant} items={items} selection={selection} may={may} />
          </>
        )}
      </Listing>
      {selection.count === 0 ? null : <ChosenBar tenant={tenant} selection={selection} />}
    </section>
  )
}
