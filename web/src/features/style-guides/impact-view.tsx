import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Output } from '../../../../src/api/endpoint.ts'
import type { styleGuidesApi } from '../../../../src/api/style-guides.ts'
import { useAddress } from '../../parts/address.ts'
import { Grade } from '../../parts/badge.tsx'
import { Choices } from '../../parts/choices.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Read } from '../../parts/listing.tsx'
import { count } from '../../parts/count.ts'
import { Toolbar } from '../../parts/page.tsx'
import { Empty, NoMatch } from '../../parts/states.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { Relinting } from './relint-section.tsx'
import { useGuide } from './style-guide-page.tsx'
import { type GuideRef, impactQuery } from './queries.ts'

type Row = Output<typeof styleGuidesApi.impact>['items'][number]

/** A better or worse letter; the points decide between equal ones. */
export const directionOf = ({ before, after }: Pick<Row, 'before' | 'after'>): 'better' | 'worse' | 'same' => {
  const by = (after.grade === null ? 0 : (after.score ?? 0)) - (before.grade === null ? 0 : (before.score ?? 0))
  return by > 0 ? 'better' : by < 0 ? 'worse' : 'same'
}

const points = (score: number | null): string => (score === null ? 'not graded' : score.toFixed(1))

const ImpactRow = ({ tenant, row }: { tenant: string; row: Row }) => {
  const direction = directionOf(row)
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
      <Link
        to="/t/$tenant/$project/$version/findings"
        params={{ tenant, project: row.projectSlug, version: row.versionId }}
        className="link min-w-0 grow basis-40 font-mono text-sm break-all"
      >
        {row.projectSlug} {row.label}
      </Link>
      <span className="flex items-center gap-2 text-sm tabular-nums">
        <span className="sr-only">now </span>
        <Grade grade={row.before.grade} score={row.before.score} />
        <span className="w-12 text-right text-soft">{points(row.before.score)}</span>
        <span aria-hidden="true">→</span>
        <span className="sr-only">, then </span>
        <Grade grade={row.after.grade} score={row.after.score} />
        <span
          className={`w-12 text-right ${direction === 'better' ? 'text-ok' : direction === 'worse' ? 'text-danger' : 'text-soft'}`}
        >
          {points(row.after.score)}
        </span>
      </span>
    </div>
  )
}

/** Which grades would change if the guide applied everywhere: known before it does. */
export const ImpactView = ({
  at,
  all,
  every,
  job,
}: {
  at: GuideRef
  /** Those whose grade stays, too. */
  all: boolean
  /** Every version instead of the newest of each project. */
  every: boolean
  /** A job that lints stored versions again; empty for none. */
  job: string
}) => {
  const { guide, may } = useGuide(at)
  const impact = useInfiniteQuery(impactQuery(at, every ? 'all' : 'latest'))
  const { filter } = useAddress()
  const name = guide.data?.name ?? at.guide
  const { hasNextPage, isFetchingNextPage, fetchNextPage, data, isError } = impact
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, isError, fetchNextPage, data])
  const rows = data?.pages.flatMap((page) => page.items) ?? []
  const last = data?.pages.at(-1)
  const total = last?.total ?? 0
  const done = Math.min(total, (last?.offset ?? 0) + (last?.limit ?? 0))
  const changed = rows.filter((it) => it.changed)
  const shown = all ? rows : changed
  return (
    <section aria-label="Impact" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Toolbar>
        <p className="flex-1 basis-72 text-sm text-pretty text-soft">
          The grade each version would get under this guide. Nothing is stored.
        </p>
        <CommandHint command={svcCommand(at.tenant, ['style-guide', 'impact', name])} />
      </Toolbar>
      <Choices
        label="Versions"
        value={every ? 'every' : 'latest'}
        onChange={(value) => filter({ every: value === 'every' ? 'yes' : '' })}
        choices={[
          { value: 'latest', name: 'newest of each project' },
          { value: 'every', name: 'every version' },
        ]}
      />
      <Read query={impact} what="the impact (linting versions)">
        {() => (
          <>
            {hasNextPage ? (
              <div className="grid gap-1.5 text-accent">
                <progress className="meter" aria-label="Linted so far" max={total} value={done} />
              </div>
            ) : null}
            <p role="status" className="font-medium">
              {hasNextPage
                ? `${done.toLocaleString()} of ${total.toLocaleString()} linted, `
                : `${count(rows.length, 'version', 'versions')} linted, `}
              {changed.length === 0
                ? 'no grade would change'
                : `${count(changed.length, 'grade', 'grades')} would change`}
            </p>
            {rows.length === 0 && !hasNextPage ? (
              <Empty title="Nothing to lint yet">
                <p>There are no versions yet.</p>
              </Empty>
            ) : (
              <>
                <Choices
                  label="Grades"
                  value={all ? 'all' : 'changed'}
                  onChange={(value) => filter({ all: value === 'all' ? 'yes' : '' })}
                  choices={[
                    { value: 'changed', name: 'changed grade', count: changed.length },
                    { value: 'all', name: 'all', count: rows.length },
                  ]}
                />
                {shown.length === 0 ? (
                  hasNextPage ? null : (
                    <NoMatch what="changed grade" onClear={() => filter({ all: 'yes' })} />
                  )
                ) : (
                  <VirtualList label="Grades" total={shown.length} estimate={45}>
                    {(index) => {
                      const row = shown[index]
                      return row ? <ImpactRow tenant={at.tenant} row={row} /> : null
                    }}
                  </VirtualList>
                )}
              </>
            )}
          </>
        )}
      </Read>
      <Relinting tenant={at.tenant} guide={at.guide} name={name} may={may} job={job} />
    </section>
  )
}
