import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { linkAddress } from '../document.ts'
import { Grade, Severity } from '../parts/badge.tsx'
import { CommandHint, shellWord } from '../parts/copy.tsx'
import { Choices } from '../parts/choices.tsx'
import { count, Words } from '../parts/page.tsx'
import { Empty, Failure, Loading, NoMatch } from '../parts/states.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'
import { type Finding, lintQuery, type VersionRef } from '../queries.ts'

const severities = ['error', 'warning', 'info', 'hint'] as const

const FindingRow = ({ at, finding }: { at: VersionRef; finding: Finding }) => {
  const line = finding.range.start.line + 1
  return (
    <div className="grid gap-0.5 px-4 py-2.5">
      <p className="flex flex-wrap items-center gap-2">
        <Severity severity={finding.severity} />
        {linkAddress(finding.documentationUrl) ? (
          <a className="link font-mono text-sm" href={linkAddress(finding.documentationUrl) ?? undefined}>
            {finding.code}
          </a>
        ) : (
          <span className="font-mono text-sm">{finding.code}</span>
        )}
        <Link
          to="/t/$tenant/$project/$version/source"
          params={{ tenant: at.tenant, project: at.project, version: at.version }}
          search={{ line }}
          className="link ml-auto text-xs"
        >
          line {line.toLocaleString()}
        </Link>
      </p>
      <p>
        <Words of={finding.message} />
      </p>
      <p className="font-mono text-xs break-all text-soft">
        {finding.pointer === '' ? 'the whole document' : finding.pointer}
      </p>
      {finding.fix ? <p className="text-sm text-soft">Fix: {finding.fix.description}</p> : null}
    </div>
  )
}

/** The lint report of a version: the grade, what each rule cost, and every finding with its place. */
export const FindingsView = ({ at, severity }: { at: VersionRef; severity: string | null }) => {
  const navigate = useNavigate()
  const report = useQuery(lintQuery(at))
  if (report.isError) return <Failure error={report.error} onRetry={() => void report.refetch()} />
  if (!report.data) return <Loading what="the lint report" />
  const { grade, findings, guide } = report.data
  const shown = severity === null ? findings : findings.filter((it) => it.severity === severity)
  const choose = (next: string | null): void => {
    void navigate({
      to: '/t/$tenant/$project/$version/findings',
      params: { tenant: at.tenant, project: at.project, version: at.version },
      search: next === null ? {} : { severity: next },
      replace: true,
    })
  }
  const costly = grade.deductions.filter((it) => it.points > 0).toSorted((a, b) => b.points - a.points)
  return (
    <section aria-label="Lint report" className="grid gap-4">
      <div className="card flex flex-wrap items-start gap-x-6 gap-y-3 p-4">
        <Grade grade={grade.grade} score={grade.score} large />
        <div className="grid gap-1">
          <h2 className="font-semibold">
            {grade.score === null ? 'Nothing here can be graded' : `${grade.score.toFixed(1)} of 100 points`}
          </h2>
          <p className="text-sm text-soft">
            By the guide {guide}: {count(grade.counts.error, 'error', 'errors')},{' '}
            {count(grade.counts.warning, 'warning', 'warnings')}, {grade.counts.info.toLocaleString()} info,{' '}
            {count(grade.counts.hint, 'hint', 'hints')}.
          </p>
          {costly.length > 0 ? (
            <details className="text-sm">
              <summary className="cursor-pointer">What each rule cost</summary>
              <ul className="mt-2 grid gap-1">
                {costly.map((it) => (
                  <li key={it.code} className="flex flex-wrap gap-x-3">
                    <span className="w-16 text-right tabular-nums">−{it.points.toFixed(2)}</span>
                    <span className="font-mono">{it.code}</span>
                    <span className="text-soft">
                      {it.hits.toLocaleString()} of {it.targets.toLocaleString()} places
                    </span>
                  </li>
                ))}
              </ul>
            </details>
          ) : null}
        </div>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Choices
          label="Severity"
          value={severity}
          onChange={choose}
          choices={severities.map((it) => ({ value: it, name: it, count: grade.counts[it] }))}
        />
        <CommandHint
          command={`svc --tenant ${shellWord(at.tenant)} version lint ${shellWord(at.project)} ${shellWord(at.version)}`}
        />
      </div>
      {findings.length === 0 ? (
        <Empty title="No findings">
          <p>No rule of the guide has anything to say about this version.</p>
        </Empty>
      ) : shown.length === 0 ? (
        <NoMatch what="finding" onClear={() => choose(null)} />
      ) : (
        <VirtualList label="Findings" total={shown.length} estimate={92}>
          {(index) => {
            const finding = shown[index]
            return finding ? <FindingRow at={at} finding={finding} /> : null
          }}
        </VirtualList>
      )}
    </section>
  )
}
