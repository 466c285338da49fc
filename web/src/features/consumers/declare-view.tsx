import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCallback, useId, useMemo, useState } from 'react'
import type { ConsumerContractRecord } from '../../../../src/api/consumer-shapes.ts'
import { consumersApi } from '../../../../src/api/consumers.ts'
import { call } from '../../call.ts'
import { consumerParams, consumerQuery, type ConsumerRef, refreshConsumers, surfaceQuery } from './queries.ts'
import { useAddress } from '../../parts/address.ts'
import { Button, buttonClass } from '../../parts/button.tsx'
import type { Submission } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { count } from '../../parts/text.ts'
import { SearchField } from '../../parts/fields.tsx'
import { Empty, Failure, needs, NoMatch } from '../../parts/states.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { countPicks, operationKey, type Picks, picksOf, selectionOf, toggleOperation } from './selection.ts'
import { holds, identityQuery } from '../../session.ts'
import { Outcome } from './pact-import.tsx'
import { SurfaceRow } from './surface-row.tsx'
import { VersionPicker } from '../catalog/pickers.tsx'

const NoOperations = () => (
  <Empty title="No operations">
    <p>This version has no operations.</p>
  </Empty>
)

/** What a version offers, read as the list is scrolled. */
const useSurface = (at: ConsumerRef, version: string, q: string) => {
  const surface = useInfiniteQuery(surfaceQuery(at.tenant, at.project, version, q))
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = surface
  const operations = useMemo(() => surface.data?.pages.flatMap((page) => page.operations) ?? [], [surface.data])
  const loaded = operations.length
  const more = useCallback(
    (_: number, last: number) => {
      if (last >= loaded - 15 && hasNextPage && !isFetchingNextPage) void fetchNextPage()
    },
    [loaded, hasNextPage, isFetchingNextPage, fetchNextPage],
  )
  return { surface, operations, more }
}

type SurfaceOperation = ReturnType<typeof useSurface>['operations'][number]

/** The operations of the version, as many as there are; more come while scrolling. */
const Surface = ({
  at,
  version,
  q,
  picks,
  onPick,
}: {
  at: ConsumerRef
  version: string
  q: string
  picks: Picks
  onPick: (picks: Picks) => void
}) => {
  const { filter } = useAddress()
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const { surface, operations, more } = useSurface(at, version, q)
  const toggle = (key: string): void =>
    setOpen((before) => new Set(before.has(key) ? [...before].filter((it) => it !== key) : [...before, key]))
  const row = (operation: SurfaceOperation | undefined, label: string) => {
    if (!operation) return null
    const key = operationKey(operation)
    return (
      <SurfaceRow
        operation={operation}
        version={label}
        open={open.has(key)}
        onToggle={() => toggle(key)}
        picks={picks}
        onPick={onPick}
      />
    )
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-3">
      <SearchField label="Search operations" value={q} onChange={(text) => filter({ q: text })} />
      <Read query={surface} what="the operations">
        {({ pages: [first] }) => {
          if (first === undefined || (first.total === 0 && q === '')) return <NoOperations />
          if (first.total === 0) return <NoMatch what="operation" onClear={() => filter({ q: '' })} />
          return (
            <>
              <p role="status" className="text-sm text-soft">
                {count(first.total, 'operation', 'operations')} of {first.version_label}
              </p>
              <VirtualList
                label="Operations to choose from"
                total={operations.length}
                estimate={56}
                height="max-h-[75vh]"
                onVisible={more}
              >
                {(index) => row(operations[index], first.version_label)}
              </VirtualList>
            </>
          )
        }}
      </Read>
    </div>
  )
}

/** What is chosen so far, and the button that declares it. */
const Chosen = ({
  picks,
  next,
  change,
  missing,
  onPick,
}: {
  picks: Picks
  /** Operations that the version is known not to have. */
  missing: ReadonlySet<string>
  /** The number of the revision that this will be. */
  next: number
  change: Submission
  onPick: (picks: Picks) => void
}) => {
  const { operations, fields, parameters } = countPicks(picks)
  return (
    <section aria-label="Selection" className="card grid grid-cols-[minmax(0,1fr)] content-start gap-3 p-4">
      <p role="status" className="font-medium">
        {count(operations, 'operation', 'operations')}, {count(fields, 'field', 'fields')},{' '}
        {count(parameters, 'parameter', 'parameters')}
      </p>
      {operations === 0 ? (
        <p className="text-sm text-soft">Choose operations and the fields that the consumer sends and reads.</p>
      ) : (
        <ul tabIndex={0} aria-label="Chosen operations" className="grid max-h-60 gap-1 overflow-auto">
          {[...picks].map(([operation, wheres]) => (
            <li key={operation} className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-2 text-xs">
              <span className="min-w-0 font-mono break-all">{operation}</span>
              <span className="flex shrink-0 items-center gap-2 text-soft">
                {[...wheres.values()].reduce((sum, names) => sum + names.length, 0)}
                <button
                  type="button"
                  className="link inline-flex min-h-7 items-center"
                  onClick={() => onPick(toggleOperation(picks, operation))}
                >
                  remove<span className="sr-only"> {operation}</span>
                </button>
              </span>
              {missing.has(operation) ? (
                <span className="col-span-2 text-warn">the version does not have it: it will be unresolved</span>
              ) : null}
            </li>
          ))}
        </ul>
      )}
      {change.error ? <Failure error={change.error} /> : null}
      <Button look="primary" busy={change.isPending} disabled={operations === 0} onClick={() => change.mutate()}>
        Declare as revision {next}
      </Button>
    </section>
  )
}

const Declared = ({
  at,
  contract,
  onGoOn,
}: {
  at: ConsumerRef
  contract: ConsumerContractRecord
  onGoOn: () => void
}) => (
  <section aria-label="Result" className="grid grid-cols-[minmax(0,1fr)] gap-4">
    <Outcome contract={contract} />
    <div className="flex flex-wrap gap-3">
      <Link
        to="/t/$tenant/$project/-/consumers/$consumer"
        params={{ ...at }}
        className={buttonClass(contract.unresolved_count === 0 ? 'primary' : 'plain')}
      >
        Show the contract
      </Link>
      <Button look={contract.unresolved_count === 0 ? 'plain' : 'primary'} onClick={onGoOn}>
        Continue choosing
      </Button>
    </div>
  </section>
)

/** Which of the chosen operations the version does not have; nothing is said before all of its operations are read. */
const useMissing = (at: ConsumerRef, version: string, picks: Picks): ReadonlySet<string> => {
  const { data, hasNextPage } = useInfiniteQuery(surfaceQuery(at.tenant, at.project, version, ''))
  return useMemo(() => {
    if (data === undefined || hasNextPage) return new Set()
    const known = new Set(data.pages.flatMap((page) => page.operations.map(operationKey)))
    return new Set([...picks.keys()].filter((it) => !known.has(it)))
  }, [data, hasNextPage, picks])
}

const Declaring = ({
  at,
  version,
  q,
  contract,
  revisions,
}: {
  at: ConsumerRef
  version: string
  q: string
  contract: ConsumerContractRecord | null
  revisions: number
}) => {
  const { filter } = useAddress()
  const [picks, setPicks] = useState<Picks>(() => picksOf(contract))
  const [made, setMade] = useState<ConsumerContractRecord | null>(null)
  const change = useMutation({
    scope: { id: useId() },
    mutationFn: async () => {
      const answer = await call(consumersApi.declare, {
        params: consumerParams(at),
        query: { version },
        body: selectionOf(picks),
      })
      setMade(answer.contract)
      await refreshConsumers(at.tenant)
    },
  })
  const missing = useMissing(at, version, picks)
  if (made !== null) return <Declared at={at} contract={made} onGoOn={() => setMade(null)} />
  return (
    <>
      <div className="max-w-md">
        <VersionPicker
          tenant={at.tenant}
          project={at.project}
          label="Version to choose from"
          value={version}
          onChoose={(next) => filter({ version: next })}
        />
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_18rem]">
        <Surface key={version} at={at} version={version} q={q} picks={picks} onPick={setPicks} />
        <div className="lg:sticky lg:top-16">
          <Chosen picks={picks} missing={missing} next={revisions + 1} change={change} onPick={setPicks} />
        </div>
      </div>
    </>
  )
}

/** Declares what a consumer uses by choosing from what a version offers. */
export const DeclareView = ({ at, version, q }: { at: ConsumerRef; version: string; q: string }) => {
  const consumer = useQuery(consumerQuery(at))
  const identity = useQuery(identityQuery)
  const may = holds(identity.data, at.tenant, 'consumer_contracts:edit')
  return (
    <Read query={consumer} what="the contract">
      {({ consumer: { retired_at: retiredAt }, contract, revisions_count: revisions }) => {
        if (retiredAt !== null)
          return <p className="text-soft">This consumer is retired. It cannot declare anything new.</p>
        if (identity.data && !may)
          return <p className="text-soft">{needs('consumer_contracts:edit', 'Declaring what it uses')}</p>
        return <Declaring at={at} version={version} q={q} contract={contract} revisions={revisions} />
      }}
    </Read>
  )
}
