import type { Output } from '../../../../src/api/endpoint.ts'
import type { primitivesApi } from '../../../../src/api/primitives.ts'
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
import { count } from '../../parts/text.ts'
import { List, Row } from '../../parts/list.tsx'
import { Read } from '../../parts/listing.tsx'
import { Moment, Toolbar } from '../../parts/page.tsx'
import { FilterSelect } from '../../parts/filter-chips.tsx'
import { SearchField } from '../../parts/fields.tsx'
import { Empty, needs, NoMatch } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { facetsQuery, healthQuery, type TypeFilter, typesQuery } from './queries.ts'
import { missingRefs, readScope, scopeNames, scopes } from './words.ts'

const TypeState = ({ primitive }: { primitive: PrimitiveRecord }) => {
  const missing = missingRefs(primitive).length
  if (missing > 0) return <Badge tone="danger">{count(missing, 'unresolved reference', 'unresolved references')}</Badge>
  if (primitive.deprecated) return <Badge tone="warn">deprecated</Badge>
  const ofAll = primitive.scope === 'core' || primitive.scope === 'standard'
  return primitive.visibility === 'public' && !ofAll ? <Badge>public</Badge> : null
}

const TypeRow = ({
  tenant,
  primitive,
  onNamespace,
}: {
  tenant: string
  primitive: PrimitiveRecord
  onNamespace: () => void
}) => (
  <Row>
    <h2 className="truncate font-medium" title={primitive.name}>
      <Link
        to="/t/$tenant/-/types/$type"
        params={{ tenant, type: primitive.id }}
        className="after:absolute after:inset-0"
      >
        {primitive.name}
      </Link>
    </h2>
    <span className="truncate text-soft max-md:w-full" title={primitive.description}>
      {primitive.description}
    </span>
    <span>
      <TypeState primitive={primitive} />
    </span>
    <span className="relative z-10 flex min-w-0 items-center gap-1 text-xs text-soft">
      <code className="truncate font-mono" title={primitive.ref}>
        {primitive.ref}
      </code>
      <CopyButton text={primitive.ref} what={`the reference of ${primitive.name}`} />
    </span>
    <span className="relative z-10 min-w-0">
      <button type="button" className="max-w-full truncate hover:underline" onClick={onNamespace}>
        <span className="sr-only">Only the namespace </span>
        {primitive.namespace}
      </button>
    </span>
    <span className="truncate text-soft">
      {scopeNames[primitive.scope]}
      {primitive.category === null ? '' : `, ${primitive.category}`}
    </span>
    <span className="text-soft">
      {primitive.updated_at === null ? null : (
        <>
          revision {primitive.revision}, <Moment at={primitive.updated_at} />
        </>
      )}
    </span>
  </Row>
)

/** What is wrong with the registry, where it cannot be read and says why itself. */
const Unhealthy = () => {
  const { data } = useQuery(healthQuery)
  if (data === undefined || data.status === 'healthy') return null
  return (
    <div role="alert" className="card grid gap-1 border-transparent bg-danger-wash px-4 py-3 text-danger">
      <p className="font-medium">
        {data.database === 'disconnected'
          ? 'The registry has no connection to its database'
          : 'The tables of the registry are missing'}
      </p>
      <p className="text-sm">Contact the operator of the service.{data.error ? ` It reports: ${data.error}` : ''}</p>
    </div>
  )
}

const noOwn = {
  tenant: {
    title: 'No imported types yet',
    text: 'Import the types of a JSON Schema, an OpenAPI description or a bundle.',
    to: '/t/$tenant/-/types/imports/new',
    action: 'Import types …',
  },
  custom: {
    title: 'No custom types yet',
    text: 'Create a type once, then refer to it from the documents of all projects.',
    to: '/t/$tenant/-/types/new',
    action: 'Create a type …',
  },
} as const

/** No types of your own yet: what to begin with. */
const NoOwn = ({ tenant, scope, may }: { tenant: string; scope: PrimitiveScope | null; may: boolean }) => {
  const { title, text, to, action } = noOwn[scope === 'tenant' ? 'tenant' : 'custom']
  return (
    <Empty title={scope === 'tenant' || scope === 'custom' ? title : 'No types'}>
      <p>{text}</p>
      {may ? (
        <Link to={to} params={{ tenant }} className={buttonClass('primary')}>
          {action}
        </Link>
      ) : (
        <p>{needs('primitives:edit', 'Creating types')}</p>
      )}
    </Empty>
  )
}

const Filters = ({ tenant, given }: { tenant: string; given: TypeFilter }) => {
  const facets = useQuery(facetsQuery(tenant))
  const { filter } = useAddress()
  const optionsOf = (found: readonly { name: string; count: number }[] = []) =>
    found.map((it) => ({ value: it.name, name: it.name, count: it.count }))
  const { namespaces, categories } = facets.data ?? {}
  return (
    <>
      <SearchField label="Search types" value={given.q} onChange={(q) => filter({ q, cursor: undefined })} />
      <FilterSelect
        label="Namespace"
        value={given.namespace}
        options={optionsOf(namespaces)}
        onChange={(namespace) => filter({ namespace, cursor: undefined })}
      />
      <FilterSelect
        label="Category"
        value={given.category}
        options={optionsOf(categories)}
        onChange={(category) => filter({ category, cursor: undefined })}
      />
    </>
  )
}

const TypeRows = ({
  tenant,
  given: { q, scope, namespace, category, cursor },
  page,
}: {
  tenant: string
  given: TypeFilter
  page: Exclude<Output<typeof primitivesApi.list>, readonly unknown[]>
}) => {
  const { filter } = useAddress()
  return (
    <>
      <List
        label="Types"
        columns="minmax(0,1fr) minmax(0,1.4fr) 11rem minmax(0,1.2fr) minmax(0,8rem) minmax(0,7rem) 10rem"
        heads={['Type', 'Description', 'State', 'Reference', 'Namespace', 'Kind', 'Changed']}
      >
        {page.primitives.map((primitive) => (
          <TypeRow
            key={primitive.id}
            tenant={tenant}
            primitive={primitive}
            onNamespace={() => filter({ namespace: primitive.namespace, cursor: undefined })}
          />
        ))}
      </List>
      <Pages tenant={tenant} search={{ q, scope: scope ?? '', namespace, category, cursor }} next={page.next_cursor} />
    </>
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
  const given: TypeFilter = { q, scope, namespace, category, cursor }
  const types = useQuery(typesQuery(tenant, given))
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
      <Toolbar>
        <Filters tenant={tenant} given={given} />
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
        {(page) => {
          if (page.primitives.length > 0) return <TypeRows tenant={tenant} given={given} page={page} />
          if (q !== '' || namespace !== '' || category !== '') return <NoMatch what="type" onClear={clear} />
          return <NoOwn tenant={tenant} scope={scope} may={may} />
        }}
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
