import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useAddress } from '../../parts/address.ts'
import { Grade } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Choices } from '../../parts/choices.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Read } from '../../parts/listing.tsx'
import { count } from '../../parts/text.ts'
import { Moment, Section, Toolbar } from '../../parts/page.tsx'
import { Empty, Failure, NoMatch } from '../../parts/states.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import {
  calculateImpact,
  cancelImpact,
  type Impact,
  type ImpactRow as Row,
  useImpact,
  type Which,
} from './impact-run.ts'
import { useGuide } from './style-guide-page.tsx'
import type { GuideRef } from '../lint/queries.ts'
import { impactScopeQuery, refreshGuides, relintQuery } from './queries.ts'
import { useEffect, useId } from 'react'
import type { Output } from '../../../../src/api/endpoint.ts'
import { styleGuidesApi } from '../../../../src/api/style-guides.ts'
import { call } from '../../call.ts'
import { Window } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'

type Relint = Output<typeof styleGuidesApi.relint>

const progressWords = ({
  status,
  progress,
  result,
  error,
}: Pick<Relint, 'status' | 'progress' | 'result' | 'error'>): string => {
  if (result)
    return `${count(result.linted, 'version', 'versions')} linted again, ${count(result.changed, 'grade', 'grades')} changed.`
  if (error) return `Linting stopped: ${error.message}`
  if (status === 'queued') return 'Waiting …'
  return `${progress.done.toLocaleString()} of ${count(progress.total, 'version', 'versions')} linted again …`
}

const Progress = ({ job: { status, progress, result, error } }: { job: Relint }) => (
  <div className="card grid gap-2 p-4">
    {result === null && error === null ? (
      <div className="text-accent">
        <progress
          className="meter"
          aria-label="Versions linted again"
          max={progress.total || 1}
          value={progress.done}
        />
      </div>
    ) : null}
    <p role="status">{progressWords({ status, progress, result, error })}</p>
    {result && result.skipped.length > 0 ? (
      <ul className="grid gap-1 text-sm">
        {result.skipped.map((failure) => (
          <li key={`${failure.project} ${failure.version}`}>
            <span className="font-mono text-xs">
              {failure.project} {failure.version}
            </span>{' '}
            was skipped: {failure.reason}
          </li>
        ))}
      </ul>
    ) : null}
  </div>
)

const Job = ({ tenant, id }: { tenant: string; id: string }) => {
  const job = useQuery(relintQuery(tenant, id))
  const ended = job.data?.finishedAt ?? null
  useEffect(() => {
    // Every grade that is shown anywhere may be another one now.
    if (ended !== null) void refreshGuides(tenant)
  }, [ended, tenant])
  return (
    <Read query={job} what="the progress">
      {(job) => <Progress job={job} />}
    </Read>
  )
}

/** Asks before stored grades are replaced. The started job takes the place of the dialog in the address. */
const RelintForm = ({ tenant, guide, onClose }: { tenant: string; guide: string; onClose: () => void }) => {
  const { show } = useAddress()
  const start = useMutation({
    scope: { id: useId() },
    mutationFn: async () => {
      const begun = await call(styleGuidesApi.startRelint, {
        params: { tenant_slug: tenant },
        body: { guideId: guide },
      })
      show({ job: begun.jobId, dialog: undefined })
    },
  })
  return (
    <Form change={start} submit="Lint again" onCancel={onClose}>
      <p className="text-soft">
        Every stored version of the projects that this guide applies to is linted again. The new grades replace the
        stored ones.
      </p>
    </Form>
  )
}

/** Lints what is stored again under the guide that applies to it now, so that the kept grades are of that guide. */
const Relinting = ({
  tenant,
  guide,
  name,
  may,
  job,
}: {
  tenant: string
  guide: string
  name: string
  may: boolean
  /** The job that is shown; empty for none. */
  job: string
}) => {
  const { dialog, open, close } = useAddress()
  if (!may && job === '') return null
  return (
    <Section
      title="Stored grades"
      description="Lint the stored versions of assigned projects again, so that lists show the new grades."
      actions={<CommandHint command={svcCommand(tenant, ['style-guide', 'relint', name])} />}
    >
      {may ? (
        <div>
          <Button onClick={() => open('relint')}>Lint versions again …</Button>
        </div>
      ) : null}
      <Window open={dialog === 'relint' && may} onClose={close} title="Lint versions again?">
        <RelintForm tenant={tenant} guide={guide} onClose={close} />
      </Window>
      {job === '' ? null : <Job tenant={tenant} id={job} />}
    </Section>
  )
}

const directionTones = { better: 'text-ok', worse: 'text-danger', same: 'text-soft' } as const

/** A better or worse letter; the points decide between equal ones. */
export const directionOf = ({ before, after }: Pick<Row, 'before' | 'after'>): 'better' | 'worse' | 'same' => {
  const by = (after.grade === null ? 0 : (after.score ?? 0)) - (before.grade === null ? 0 : (before.score ?? 0))
  if (by === 0) return 'same'
  return by > 0 ? 'better' : 'worse'
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
        <span className={`w-12 text-right ${directionTones[direction]}`}>{points(row.after.score)}</span>
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

/** What was calculated, and whether it still holds. */
const State = ({
  impact,
  isCurrent,
  linted,
  total,
}: {
  impact: Impact | null
  isCurrent: boolean
  /** What a calculation lints, in words. */
  linted: string
  total: number
}) => {
  if (impact === null)
    return (
      <p className="text-soft">
        Lints {linted} under this guide.{total > 100 ? ' This can take a minute; you can cancel it.' : ''}
      </p>
    )
  if (!isCurrent)
    return (
      <p className="text-soft">
        Style guides or versions have changed since the last calculation (<Moment at={impact.at} />
        ).
      </p>
    )
  return (
    <p role="status" className="font-medium">
      {count(impact.rows.length, 'version', 'versions')} linted, {changes(impact.rows)} · <Moment at={impact.at} />
    </p>
  )
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
              <State
                impact={impact}
                isCurrent={isCurrent}
                linted={which === 'all' ? linted : `the newest version of ${linted}`}
                total={total}
              />
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
