import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import type { Thread } from '../../../../src/api/threads.ts'
import { Read } from '../../parts/listing.tsx'
import { Empty } from '../../parts/states.tsx'
import { holds, identityQuery, sessionQuery } from '../../session.ts'
import { groupChanges } from '../comparison/changes.ts'
import { type Compared, comparisonQuery } from '../comparison/queries.ts'
import type { VersionRef } from '../catalog/versions.ts'
import { DecisionBar } from './decision-bar.tsx'
import { DiffList } from './diff-list.tsx'
import { Facts } from './facts.tsx'
import { placesQuery } from './queries.ts'
import { useViewed } from './viewed.ts'

/** The comparison that the page shows, once it is known with what. */
const useCompared = (at: VersionRef) => {
  const identity = useQuery(identityQuery)
  const places = useQuery(placesQuery(at))
  const base = places.data?.base ?? null
  const pair = {
    tenant: at.tenant,
    base: { project: at.project, version: base?.label ?? '' },
    head: { project: at.project, version: at.version },
  }
  const compared = useQuery({
    ...comparisonQuery(pair, holds(identity.data, at.tenant, 'consumer_contracts:view')),
    enabled: base !== null && identity.data !== undefined,
  })
  return { identity, places, pair, compared }
}

const CompareAll = ({
  at,
  compared,
  places,
  pair,
  threads,
  focused,
  mayComment,
  onOpened,
}: {
  at: VersionRef
  compared: Compared
  places: NonNullable<ReturnType<typeof useCompared>['places']['data']>
  pair: ReturnType<typeof useCompared>['pair']
  threads: readonly Thread[]
  focused: string | null
  mayComment: boolean
  onOpened: (thread: string) => void
}) => {
  const session = useQuery(sessionQuery)
  const viewed = useViewed(at, session.data?.user?.id ?? '')
  const groups = useMemo(() => groupChanges(compared.changes), [compared])
  const told = groups.flatMap((it) => it.told)
  const base = places.base ?? { label: '', digest: '' }
  return (
    <>
      {places.total > places.places.length ? (
        <p className="text-sm text-soft">
          The lines of the first {places.places.length.toLocaleString()} of {places.total.toLocaleString()} places are
          shown.
        </p>
      ) : null}
      {told.length === 0 && places.total === 0 && threads.length === 0 ? (
        <Empty title="Nothing changed">
          <p>The document is the same as in {base.label}.</p>
        </Empty>
      ) : (
        <DiffList
          reviewed={{
            at,
            base,
            digest: places.head.digest,
            places: places.places,
            total: places.lines_total,
            mayComment,
            focused,
            onOpened,
          }}
          groups={groups}
          around={{
            tenant: at.tenant,
            base: { ...compared.base, label: base.label },
            head: { ...compared.head, label: places.head.label },
            sides: pair,
            consumers: new Map(compared.consumers?.consumers.map((it) => [it.handle, it]) ?? []),
            omitted: new Set(compared.omitted),
            onPastedLine: () => {},
          }}
          threads={threads}
          viewed={viewed}
        />
      )}
      <DecisionBar
        at={at}
        facts={
          <Facts at={at} compared={compared} viewed={[told.filter((it) => viewed.isViewed(it)).length, told.length]} />
        }
      />
    </>
  )
}

/** What a version changes against the version before, with what is said about it, and the bar in which a reviewer decides. */
export const DiffView = ({
  at,
  threads,
  focused,
  onOpened,
  whole,
}: {
  at: VersionRef
  threads: readonly Thread[]
  focused: string | null
  onOpened: (thread: string) => void
  /** The whole source, for a version that there is nothing to compare with. */
  whole: ReactNode
}) => {
  const { identity, places, pair, compared } = useCompared(at)
  return (
    <Read query={places} what="the changed lines">
      {(found) =>
        found.base === null ? (
          <>
            {whole}
            <DecisionBar at={at} facts={<Facts at={at} compared={null} viewed={null} />} />
          </>
        ) : (
          <Read query={compared} what="the comparison">
            {(data) => (
              <CompareAll
                at={at}
                compared={data}
                places={found}
                pair={pair}
                threads={threads}
                focused={focused}
                mayComment={holds(identity.data, at.tenant, 'comments:create')}
                onOpened={onOpened}
              />
            )}
          </Read>
        )
      }
    </Read>
  )
}
