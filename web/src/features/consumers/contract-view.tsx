import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { ConsumerContractRecord } from '../../../../src/api/consumer-shapes.ts'
import { consumerQuery, type ConsumerRef, contractQuery, type UsedOperation } from './queries.ts'
import { Badge, Method } from '../../parts/badge.tsx'
import { Read } from '../../parts/listing.tsx'
import { count } from '../../parts/text.ts'
import { Facts, Moment, Section } from '../../parts/page.tsx'
import { SearchField } from '../../parts/fields.tsx'
import { Empty, NoMatch } from '../../parts/states.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { UnresolvedList, WarningList } from './unresolved-list.tsx'
import { actorName, namesQuery } from '../members/queries.ts'

const Names = ({ title, names }: { title: string; names: readonly string[] }) =>
  names.length === 0 ? null : (
    <div className="grid gap-x-4 gap-y-1 sm:grid-cols-[9rem_minmax(0,1fr)]">
      <p className="text-sm text-soft">{title}</p>
      <p className="flex min-w-0 flex-wrap gap-1.5">
        {names.map((it) => (
          <code key={it} className="rounded bg-raised px-1.5 font-mono text-xs leading-5 break-all">
            {it}
          </code>
        ))}
      </p>
    </div>
  )

const Operation = ({ at, version, operation }: { at: ConsumerRef; version: string; operation: UsedOperation }) => (
  <article className="grid grid-cols-[minmax(0,1fr)] gap-2 px-4 py-3">
    <h3 className="flex items-baseline">
      <Method method={operation.method.toUpperCase()} />
      <Link
        to="/t/$tenant/$project/$version/operations"
        params={{ tenant: at.tenant, project: at.project, version }}
        search={{ operation: `${operation.method.toUpperCase()} ${operation.path}` }}
        className="link min-w-0 font-mono text-sm break-all"
      >
        {operation.path}
      </Link>
    </h3>
    <Names title="Parameters" names={operation.parameters.map((one) => `${one.name} (${one.in})`)} />
    <Names title="Sends" names={operation.request.map((one) => one.field)} />
    {operation.body && operation.request.length === 0 ? (
      <p className="text-sm text-soft">Sends a body without named fields.</p>
    ) : null}
    {operation.responses.map((answer) =>
      answer.fields.length === 0 ? (
        <p key={answer.status} className="text-sm text-soft">
          Handles {answer.status} without reading named fields.
        </p>
      ) : (
        <Names
          key={answer.status}
          title={`Reads from ${answer.status}`}
          names={answer.fields.map((one) => one.field)}
        />
      ),
    )}
  </article>
)

const textOf = (operation: UsedOperation): string =>
  [
    operation.method,
    operation.path,
    ...operation.request.map((one) => one.field),
    ...operation.responses.flatMap((answer) => answer.fields.map((one) => one.field)),
    ...operation.parameters.map((one) => one.name),
  ]
    .join(' ')
    .toLowerCase()

const Operations = ({ at, contract }: { at: ConsumerRef; contract: ConsumerContractRecord }) => {
  const [q, setQ] = useState('')
  const { operations, version_label: version } = contract
  const shown = useMemo(() => {
    const words = q.toLowerCase().split(/\s+/).filter(Boolean)
    return operations.filter((it) => {
      const text = textOf(it)
      return words.every((word) => text.includes(word))
    })
  }, [operations, q])
  if (operations.length === 0)
    return (
      <Empty title="Empty contract">
        <p>None of the declared operations was found in {version}. They are listed above as unresolved.</p>
      </Empty>
    )
  return (
    <>
      {operations.length > 5 ? <SearchField label="Search the contract" value={q} onChange={setQ} /> : null}
      {shown.length === 0 ? (
        <NoMatch what="operation or field" onClear={() => setQ('')} />
      ) : (
        <VirtualList label="Operations of the contract" total={shown.length} estimate={110} height="max-h-[75vh]">
          {(index) => {
            const it = shown[index]
            return it ? <Operation at={at} version={version} operation={it} /> : null
          }}
        </VirtualList>
      )}
    </>
  )
}

const originWords = (origin: Readonly<Record<string, unknown>>): string => {
  const words = Object.entries(origin).flatMap(([key, value]) =>
    ['string', 'number'].includes(typeof value) ? [`${key.replaceAll('_', ' ')} ${String(value)}`] : [],
  )
  return words.join(', ')
}

/** A contract in full: where it comes from, what could not be resolved, and what it uses. */
export const Contract = ({ at, contract }: { at: ConsumerRef; contract: ConsumerContractRecord }) => {
  const names = useQuery(namesQuery(at.tenant))
  return (
    <>
      <div className="card p-4">
        <Facts
          facts={[
            ['Revision', contract.revision],
            [
              'Created',
              <span key="made">
                <Moment at={contract.created_at} /> by {actorName(contract.created_by, names.data)},{' '}
                {contract.source === 'pact' ? 'from a Pact file' : 'declared in the application'}
              </span>,
            ],
            ['Origin', originWords(contract.origin)],
            [
              'Against',
              <Link
                key="against"
                to="/t/$tenant/$project/$version"
                params={{ tenant: at.tenant, project: at.project, version: contract.version_label }}
                className="link"
              >
                {contract.version_label}
              </Link>,
            ],
            [
              'Uses',
              `${count(contract.operations_count, 'operation', 'operations')}, ${count(contract.fields_count, 'field', 'fields')}, ${count(contract.parameters_count, 'parameter', 'parameters')}`,
            ],
          ]}
        />
      </div>
      {contract.unresolved.length === 0 ? null : (
        <Section
          title={`${count(contract.unresolved.length, 'item', 'items')} unresolved`}
          description="Not found in this version, so not checked in comparisons."
        >
          <UnresolvedList items={contract.unresolved} />
        </Section>
      )}
      <WarningList items={contract.warnings} />
      <Section title="Operations and fields in use">
        <Operations at={at} contract={contract} />
      </Section>
    </>
  )
}

/** The contract of a consumer, now or in an earlier revision. */
export const ContractView = ({ at, revision }: { at: ConsumerRef; revision: number | null }) => {
  const now = useQuery({ ...consumerQuery(at), enabled: revision === null })
  const then = useQuery({ ...contractQuery(at, revision ?? 1), enabled: revision !== null })
  if (revision !== null)
    return (
      <Read query={then} what="the revision">
        {(contract) => (
          <>
            <p className="flex flex-wrap items-center gap-3 text-sm">
              <Badge tone="info">earlier revision</Badge>
              <Link to="/t/$tenant/$project/-/consumers/$consumer" params={{ ...at }} className="link">
                Show the current revision
              </Link>
            </p>
            <Contract at={at} contract={contract} />
          </>
        )}
      </Read>
    )
  return (
    <Read query={now} what="the contract">
      {({ contract }) =>
        contract === null ? (
          <Empty title="No declaration yet">
            <p>Without a declaration, the effect of a change on this consumer is unknown.</p>
            <Link to="/t/$tenant/$project/-/consumers/$consumer/declare" params={{ ...at }} className="link">
              Declare operations and fields
            </Link>
          </Empty>
        ) : (
          <Contract at={at} contract={contract} />
        )
      }
    </Read>
  )
}
