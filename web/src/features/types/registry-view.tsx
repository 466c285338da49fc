import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { PrimitiveRecord, PrimitiveScope } from '../../../../src/api/primitive-shapes.ts'
import { SvcError } from '../../../../src/errors.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button, buttonClass } from '../../parts/button.tsx'
import { Choices } from '../../parts/choices.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { CopyButton, svcCommand } from '../../parts/copy.tsx'
import { count } from '../../parts/count.ts'
import { Read } from '../../parts/listing.tsx'
import { Moment, Toolbar } from '../../parts/page.tsx'
import { Picker } from '../../parts/picker.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Empty, needs, NoMatch } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { facetsQuery, healthQuery, typesQuery, type TypeFilter } from './queries.ts'
import { missingRefs, readScope, scopeNames, scopes, scopeTones } from './words.ts'

const Row = ({ tenant, it, onNamespace }: { tenant: string; it: PrimitiveRecord; onNamespace: () => void }) => {
  const missing = missingRefs(it).length
  return (
    <li className="grid gap-x-6 gap-y-1 px-4 py-2.5 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-start">
      <div className="grid min-w-0 gap-0.5">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <h2 className="min-w-0 font-medium wrap-anywhere">
            <Link to="/t/$tenant/-/types/$type" params={{ tenant, type: it.id }} className="link">
              {it.name}
            </Link>
          </h2>
          {it.deprecated ? <Badge tone="warn">deprecated</Badge> : null}
          {missing > 0 ? (
            <Badge tone="danger">{count(missing, 'unresolved reference', 'unresolved references')}</Badge>
          ) : null}
          {it.visibility === 'public' && it.scope !== 'core' && it.scope !== 'standard' ? <Badge>public</Badge> : null}
        </div>
        {it.description === '' ? null : (
          <p className="line-clamp-2 text-sm wrap-anywhere text-soft">{it.description}</p>
        )}
        <p className="flex min-w-0 flex-wrap items-center gap-x-1 text-xs text-soft">
          <code className="min-w-0 font-mono break-all">{it.ref}</code>
          <CopyButton text={it.ref} what={`the reference of ${it.name}`} />
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-soft sm:justify-end">
        {it.category === null ? null : <span>{it.category}</span>}
        <button type="button" className="link min-h-6 break-all" onClick={onNamespace}>
          <span className="sr-only">Only the namespace </span>
          {it.namespace}
        </button>
        <Badge tone={scopeTones[it.scope]}>{scopeNames[it.scope]}</Badge>
        {it.updated_at === null ? null : (
          <span>
            revision {it.revision}, <Moment at={it.updated_at} />
          </span>
        )}
      </div>
    </li>
  )
}

/** What is wrong with the registry, where it cannot be read and says why itself. */
const Unhealthy = () => {
  const { data } = useQuery(healthQuery)
  if (data === undefined || data.status === 'healthy') return null
  return (
    <div role="alert" className="card grid gap-1 border-danger bg-danger-wash px-4 py-3 text-danger">
      <p className="font-medium">
        {data.database === 'disconnected'
          ? 'The registry has no connection to its database'
          : 'The tables of the registry are missing'}
      </p>
      <p className="text-sm">Contact the operator of the service.{data.error ? ` It reports: ${data.error}` : ''}</p>
    </div>
  )
}

/** Nothing of one's own yet: what to begin with. */
const NoOwn = ({ tenant, scope, may }: { tenant: string; scope: PrimitiveScope | null; may: boolean }) => (
  <Empty title={scope === 'tenant' ? 'No imported types yet' : scope === 'custom' ? 'No custom types yet' : 'No types'}>
    <p>
      {scope === 'tenant'
        ? 'Import the types of a JSON Schema, an OpenAPI description or a bundle.'
        : 'Create a type once, then refer to it from the documents of all projects.'}
    </p>
    {may ? (
      <Link
        to={scope === 'tenant' ? '/t/$tenant/-/types/imports/new' : '/t/$tenant/-/types/new'}
        params={{ tenant }}
        className={buttonClass('primary')}
      >
        {scope === 'tenant' ? 'Import types …' : 'Create a type …'}
      </Link>
    ) : (
      <p>{needs('primitives:edit', 'Creating types')}</p>
    )}
  </Empty>
)

const Filters = ({ tenant, asked }: { tenant: string; asked: TypeFilter }) => {
  const facets = useQuery(facetsQuery(tenant))
  const { filter } = useAddress()
  const optionsOf = (all: string, found: readonly { name: string; count: number }[] = []) => [
    { value: '', name: all },
    ...found.map((it) => ({ value: it.name, name: it.name, detail: count(it.count, 'type', 'types') })),
  ]
  const { namespaces, categories } = facets.data ?? {}
  return (
    <div className="grid items-end gap-3 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)]">
      <SearchField label="Search types" value={asked.q} onChange={(q) => filter({ q, cursor: undefined })} />
      <Picker
        label="Namespace"
        value={asked.namespace}
        placeholder="All namespaces"
        options={optionsOf('All namespaces', namespaces)}
        onChoose={(namespace) => filter({ namespace, cursor: undefined })}
      />
      <Picker
        label="Category"
        value={asked.category}
        placeholder="All categories"
        options={optionsOf('All categories', categories)}
        onChoose={(category) => filter({ category, cursor: undefined })}
      />
    </div>
  )
}

const isCursorRefused = (error: unknown): boolean => error instanceof SvcError && error.code === 'cursor-invalid'

/** All types, by scope with counts; search, namespace and category narrow them. */
export const RegistryView = ({
  tenant,
  q = '',
  scope: scopeText,
  namespace = '',
  category = '',
  cursor = '',
}: {
  tenant: string
  q?: string
  scope?: string
  namespace?: string
  category?: string
  cursor?: string
}) => {
  const identity = useQuery(identityQuery)
  const scope = readScope(scopeText)
  const asked: TypeFilter = { q, scope, namespace, category, cursor }
  const types = useQuery(typesQuery(tenant, asked))
  const { filter } = useAddress()
  const counts = types.data?.counts
  const total = counts === undefined ? undefined : scopes.reduce((sum, it) => sum + counts[it], 0)
  const counted = (n: number | undefined) => (n === undefined ? {} : { count: n })
  const may = holds(identity.data, tenant, 'primitives:edit')
  const clear = () =>
    filter({ q: undefined, namespace: undefined, category: undefined, scope: undefined, cursor: undefined })
  if (isCursorRefused(types.error))
    return (
      <Empty title="This page of the list is no longer there">
        <Button onClick={() => filter({ cursor: undefined })}>Go to the first page</Button>
      </Empty>
    )
  return (
    <section aria-label="Registry" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {types.error ? <Unhealthy /> : null}
      <Filters tenant={tenant} asked={asked} />
      <Toolbar>
        <Choices
          label="Scope"
          value={scope ?? 'all'}
          choices={[
            { value: 'all', name: 'All', ...counted(total) },
            ...scopes.map((it) => ({ value: it, name: scopeNames[it], ...counted(counts?.[it]) })),
          ]}
          onChange={(next) => filter({ scope: next === 'all' ? undefined : (next ?? undefined), cursor: undefined })}
        />
        <CommandHint
          command={svcCommand(tenant, ['type', 'list', ...(q === '' ? [] : [q])], { scope: scope ?? '', namespace })}
        />
      </Toolbar>
      <Read query={types} what="the types">
        {(page) =>
          page.primitives.length > 0 ? (
            <>
              <ul className="card divide-y" aria-label="Types">
                {page.primitives.map((it) => (
                  <Row
                    key={it.id}
                    tenant={tenant}
                    it={it}
                    onNamespace={() => filter({ namespace: it.namespace, cursor: undefined })}
                  />
                ))}
              </ul>
              <Pages
                tenant={tenant}
                search={{ q, scope: scope ?? '', namespace, category, cursor }}
                next={page.next_cursor}
              />
            </>
          ) : q !== '' || namespace !== '' || category !== '' ? (
            <NoMatch what="type" onClear={clear} />
          ) : (
            <NoOwn tenant={tenant} scope={scope} may={may} />
          )
        }
      </Read>
    </section>
  )
}

/** The list continues by cursor: forward, and back to the first page; the way back is the one of the browser. */
const Pages = ({
  tenant,
  search,
  next,
}: {
  tenant: string
  search: Readonly<Record<string, string>>
  next: string | null
}) => {
  if (next === null && search['cursor'] === '') return null
  const at = (cursor: string) =>
    Object.fromEntries(Object.entries({ ...search, cursor }).filter(([, value]) => value !== ''))
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-4">
      {search['cursor'] === '' ? (
        <span />
      ) : (
        <Link to="/t/$tenant/-/types" params={{ tenant }} search={at('')} className={buttonClass()}>
          First page
        </Link>
      )}
      {next === null ? (
        <span className="text-sm text-soft">End of the list</span>
      ) : (
        <Link to="/t/$tenant/-/types" params={{ tenant }} search={at(next)} className={buttonClass()}>
          Next page
        </Link>
      )}
    </nav>
  )
}
