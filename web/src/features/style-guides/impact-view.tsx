import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useAddress } from '../../parts/address.ts'
import { Grade } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Choices } from '../../parts/choices.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Read } from '../../parts/listing.tsx'
import { count } from '../../parts/count.ts'
import { Moment, Toolbar } from '../../parts/page.tsx'
import { Empty, Failure, NoMatch } from '../../parts/states.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { calculateImpact, cancelImpact, type ImpactRow as Row, useImpact, type Which } from './impact-run.ts'
import { Relinting } from './relint-section.tsx'
import { useGuide } from './style-guide-page.tsx'
import { type GuideRef, impactScopeQuery } from './queries.ts'

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

/** The grades that would change, or all of them. */
const Grades = ({ tenant, rows, all }: { tenant: string; rows: readonly Row[]; all: boolean }) => {
  const { filter } = useAddress()
  const changed = rows.filter((it) => it.changed)
  const shown = all ? rows : changed
  if (rows.length === 0) return null
  return (
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
        <NoMatch what="changed grade" onClear={() => filter({ all: 'yes' })} />
      ) : (
        <VirtualList label="Grades" total={shown.length} estimate={45}>
          {(index) => {
            const row = shown[index]
            return row ? <ImpactRow tenant={tenant} row={row} /> : null
          }}
        </VirtualList>
      )}
    </>
  )
}

const changes = (rows: readonly Row[]): string => {
  const changed = rows.filter((it) => it.changed).length
  return changed === 0 ? 'no grade would change' : `${count(changed, 'grade', 'grades')} would change`
}

/** The calculation: asked for, under way with a way to end it, or its result with its date. */
const Calculation = ({ at, which, all }: { at: GuideRef; which: Which; all: boolean }) => {
  const state = useImpact(at, which)
  const scope = useQuery(impactScopeQuery(at, which))
  const calculate = (): void => void calculateImpact(at, which)
  if (state.kind === 'running')
    return (
      <>
        <div className="grid gap-1.5 text-accent">
          <progress className="meter" aria-label="Linted so far" max={state.total || 1} value={state.done} />
        </div>
        <div className="flex flex-wrap items-center gap-3">
          <p role="status" className="font-medium">
            {`${state.done.toLocaleString()} of ${state.total.toLocaleString()} linted, ${changes(state.rows)}`}
          </p>
          <Button onClick={() => cancelImpact(at, which)}>Cancel</Button>
        </div>
        <Grades tenant={at.tenant} rows={state.rows} all={all} />
      </>
    )
  return (
    <Read query={scope} what="the number of versions">
      {({ total, stamp }) => {
        if (total === 0)
          return (
            <Empty title="Nothing to lint yet">
              <p>There are no versions yet.</p>
            </Empty>
          )
        const impact = state.kind === 'done' ? state.impact : null
        const isCurrent = impact?.stamp === stamp
        const linted = which === 'all' ? count(total, 'version', 'versions') : count(total, 'project', 'projects')
        return (
          <>
            {state.kind === 'failed' ? <Failure error={state.error} onRetry={calculate} /> : null}
            <div className="flex flex-wrap items-center gap-3">
              {impact !== null && isCurrent ? (
                <p role="status" className="font-medium">
                  {count(impact.rows.length, 'version', 'versions')} linted, {changes(impact.rows)} ·{' '}
                  <Moment at={impact.at} />
                </p>
              ) : impact === null ? (
                <p className="text-soft">
                  {which === 'all' ? `Lints ${linted}` : `Lints the newest version of ${linted}`} under this guide.
                  {total > 100 ? ' This can take a minute; you can cancel it.' : ''}
                </p>
              ) : (
                <p className="text-soft">
                  Style guides or versions have changed since the last calculation (<Moment at={impact.at} />
                  ).
                </p>
              )}
              <Button look={isCurrent ? 'plain' : 'primary'} onClick={calculate}>
                {impact === null ? 'Calculate the impact' : 'Calculate again'}
              </Button>
            </div>
            {impact !== null && isCurrent ? <Grades tenant={at.tenant} rows={impact.rows} all={all} /> : null}
          </>
        )
      }}
    </Read>
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
  const { filter } = useAddress()
  const name = guide.data?.name ?? at.guide
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
      <Calculation at={at} which={every ? 'all' : 'latest'} all={all} />
      <Relinting tenant={at.tenant} guide={at.guide} name={name} may={may} job={job} />
    </section>
  )
}
