import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Output } from '../../../../src/api/endpoint.ts'
import { consumersApi } from '../../../../src/api/consumers.ts'
import { consumersQuery } from './queries.ts'
import { impactTones, impactWords } from '../comparison/change-row.tsx'
import { comparisonQuery, type ConsumerImpact } from '../comparison/queries.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Window } from '../../parts/dialog.tsx'
import { List, Row } from '../../parts/list.tsx'
import { Listing } from '../../parts/listing.tsx'
import { count } from '../../parts/text.ts'
import { Moment, Toolbar } from '../../parts/page.tsx'
import { Empty, needs } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { CreateConsumer } from './consumer-forms.tsx'
import { PactWindow } from './pact-import.tsx'
import { allVersionsQuery } from '../catalog/versions.ts'
import { ProjectFrame } from '../projects/project-frame.tsx'

type Listed = Output<typeof consumersApi.list>['consumers'][number]

/** What the newest version means for consumers, compared with what was published before it. */
const useNewest = (tenant: string, project: string, any: boolean) => {
  const versions = useQuery({ ...allVersionsQuery(tenant, project), enabled: any })
  const [head, ...older] = versions.data?.items ?? []
  const base = older.find((it) => it.status === 'published' || it.status === 'deprecated')
  const pair = {
    tenant,
    base: { project, version: base?.slug ?? '' },
    head: { project, version: head?.slug ?? '' },
  }
  const compared = useQuery({ ...comparisonQuery(pair, true), enabled: head !== undefined && base !== undefined })
  if (head === undefined || base === undefined || compared.data?.consumers === undefined) return null
  const { consumers, counts } = compared.data.consumers
  return { base, head, counts, of: new Map(consumers.map((it) => [it.handle, it.status])) }
}

/** What the newest version means for one consumer; consumers that were not compared have none. */
const Impact = ({ status, version }: { status: ConsumerImpact['status'] | undefined; version: string }) =>
  status === undefined ? null : (
    <Badge tone={status === 'unaffected' ? 'ok' : impactTones[status]}>
      {impactWords[status]}
      <span className="sr-only"> with {version}</span>
    </Badge>
  )

type Newest = NonNullable<ReturnType<typeof useNewest>>

/** What the newest change means for the consumers that it concerns. */
const effectOf = (broken: number, hit: number): readonly [tone: Tone, words: string] => {
  if (broken > 0) return ['danger', `${broken.toLocaleString()} would break`]
  return hit > 0 ? ['warn', `${hit.toLocaleString()} undecided`] : ['ok', 'none would break']
}

const NewestSummary = ({ tenant, project, newest }: { tenant: string; project: string; newest: Newest }) => {
  const { base, head, counts } = newest
  const hit = counts.broken + counts.unknown
  const [tone, words] = effectOf(counts.broken, hit)
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1 text-sm">
      <Badge tone={tone}>{words}</Badge>
      <span className="min-w-0 wrap-anywhere">
        with {head.label}
        {head.status === 'draft' ? ' (draft)' : ''}, compared with {base.label}
      </span>
      <Link
        to="/t/$tenant/-/compare"
        params={{ tenant }}
        search={{ base: `${project}@${base.slug}`, head: `${project}@${head.slug}` }}
        className="link"
      >
        Compare them
      </Link>
    </p>
  )
}

const ConsumerRow = ({
  tenant,
  project,
  consumer,
  newest,
}: {
  tenant: string
  project: string
  consumer: Listed
  newest: Newest | null
}) => (
  <Row>
    <span className="flex min-w-0 items-baseline gap-2 max-md:w-full">
      <h2 className="min-w-0 truncate font-semibold" title={consumer.description ?? ''}>
        <Link
          to="/t/$tenant/$project/-/consumers/$consumer"
          params={{ tenant, project, consumer: consumer.handle }}
          className="after:absolute after:inset-0"
        >
          {consumer.name}
        </Link>
      </h2>
      <span className="truncate font-mono text-xs text-soft">{consumer.handle}</span>
    </span>
    <span className="truncate text-soft">{consumer.owner ?? ''}</span>
    {consumer.contract === null ? (
      <Badge tone="warn">not declared</Badge>
    ) : (
      <>
        <span>
          <Impact status={newest?.of.get(consumer.handle)} version={newest?.head.label ?? ''} />
        </span>
        <span className="truncate">
          {count(consumer.contract.operations_count, 'operation', 'operations')},{' '}
          {count(consumer.contract.fields_count, 'field', 'fields')} of {consumer.contract.version_label}
        </span>
        <span>
          {consumer.contract.unresolved_count > 0 ? (
            <Badge tone="danger">{consumer.contract.unresolved_count.toLocaleString()} unresolved</Badge>
          ) : null}
        </span>
        <span className="truncate text-soft">
          revision {consumer.contract.revision}, {consumer.contract.source === 'pact' ? 'from Pact' : 'declared'}
        </span>
        <span className="text-soft">
          <Moment at={consumer.contract.created_at} />
        </span>
      </>
    )}
  </Row>
)

/** The consumers of a project: who relies on it, and on what, as far as they said. */
export const ConsumersPage = ({ tenant, project, offset }: { tenant: string; project: string; offset: number }) => {
  const consumers = useQuery(consumersQuery(tenant, project, offset))
  const identity = useQuery(identityQuery)
  const { dialog, open, close, move } = useAddress()
  const may = holds(identity.data, tenant, 'consumer_contracts:create')
  const declared = (consumers.data?.items ?? []).some((it) => it.contract !== null)
  const newest = useNewest(tenant, project, declared)
  return (
    <ProjectFrame
      tenant={tenant}
      project={project}
      tab="Consumers"
      own={
        may ? (
          <>
            <Button onClick={() => open('pact')}>Import a Pact …</Button>
            <Button look="primary" onClick={() => open('new')}>
              Register a consumer …
            </Button>
          </>
        ) : null
      }
    >
      <Toolbar>
        <p role="status" className="text-sm text-soft">
          {consumers.data ? count(consumers.data.total, 'consumer', 'consumers') : ''}
          {identity.data && !may ? ` · ${needs('consumer_contracts:create', 'Registering a consumer')}` : ''}
        </p>
        <CommandHint command={svcCommand(tenant, ['consumer', 'list', project])} />
      </Toolbar>
      <Listing
        query={consumers}
        what="the consumers"
        one="consumer"
        onMove={move}
        empty={
          <Empty title="No consumers yet">
            <p>
              A consumer is an application that calls this API. Once it has declared the operations and fields it uses,
              comparisons show which changes break it.
            </p>
            <CommandHint command={svcCommand(tenant, ['consumer', 'create', project, 'Shop app'])} />
          </Empty>
        }
      >
        {(items) => (
          <>
            {newest === null ? null : <NewestSummary tenant={tenant} project={project} newest={newest} />}
            <List
              label="Consumers"
              columns="minmax(0,1.5fr) minmax(0,1fr) 8rem minmax(0,1.3fr) 7.5rem minmax(0,1fr) 7rem"
              heads={['Consumer', 'Owner', 'Newest version', 'Uses', 'References', 'Contract', 'Since']}
            >
              {items.map((it) => (
                <ConsumerRow key={it.id} tenant={tenant} project={project} consumer={it} newest={newest} />
              ))}
            </List>
          </>
        )}
      </Listing>
      <Window open={dialog === 'new' && may} onClose={close} title="Register a consumer">
        <CreateConsumer tenant={tenant} project={project} onClose={close} />
      </Window>
      <PactWindow open={dialog === 'pact' && may} onClose={close} tenant={tenant} project={project} consumer={null} />
    </ProjectFrame>
  )
}
