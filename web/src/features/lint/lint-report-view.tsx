import { severities } from '../../../../src/api/lint-findings.ts'
import { useQuery } from '@tanstack/react-query'
import { useAddress } from '../../parts/address.ts'
import { Choices } from '../../parts/choices.tsx'
import { FilterSelect } from '../../parts/filter-chips.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Read } from '../../parts/listing.tsx'
import { count } from '../../parts/text.ts'
import { Toolbar, Words } from '../../parts/page.tsx'
import { SearchField } from '../../parts/fields.tsx'
import { Empty } from '../../parts/states.tsx'
import type { VersionRef } from '../catalog/versions.ts'
import { GradingNote } from '../catalog/grading.tsx'
import { FindingsList } from './findings-list.tsx'
import { findingsQuery, lintSummaryQuery } from './queries.ts'
import {
  type Deduction,
  findingsOf,
  type LintReport,
  mostPointsPerFinding,
  outlookOf,
  type ReportView,
} from './report.ts'
import { Grade, Severity } from '../../parts/badge.tsx'

interface Given {
  readonly report: LintReport
  /** Shows the findings of one rule. */
  readonly onRule: (code: string) => void
}

const RuleButton = ({ code, onRule }: { code: string; onRule: (code: string) => void }) => (
  <button type="button" className="link min-h-6 text-left font-mono text-xs break-all" onClick={() => onRule(code)}>
    {code}
    <span className="sr-only">: show its findings</span>
  </button>
)

const Gains = ({ deductions, onRule }: { deductions: readonly Deduction[]; onRule: (code: string) => void }) => (
  <div className="grid content-start gap-1.5">
    <h3 className="text-sm font-semibold">Quick wins</h3>
    <ol className="grid gap-0.5 text-sm">
      {mostPointsPerFinding(deductions).map((deduction) => (
        <li key={deduction.code} className="grid grid-cols-[3.5rem_minmax(0,1fr)_auto] items-baseline gap-x-2">
          <span className="text-right font-medium text-ok tabular-nums">+{deduction.points.toFixed(1)}</span>
          <RuleButton code={deduction.code} onRule={onRule} />
          <span className="text-xs text-soft tabular-nums">{count(findingsOf(deduction), 'finding', 'findings')}</span>
        </li>
      ))}
    </ol>
  </div>
)

const Costs = ({ deductions, onRule }: { deductions: readonly Deduction[]; onRule: (code: string) => void }) => (
  <table className="w-full text-sm">
    <thead>
      <tr className="border-b text-left text-xs text-soft">
        <th scope="col" className="py-1 font-medium">
          Rule
        </th>
        <th scope="col" className="py-1 pl-3 font-medium max-sm:hidden">
          Severity
        </th>
        <th scope="col" className="py-1 pl-3 text-right font-medium">
          Places
        </th>
        <th scope="col" className="py-1 pl-3 text-right font-medium">
          Points
        </th>
      </tr>
    </thead>
    <tbody>
      {deductions.map((deduction) => (
        <tr key={deduction.code} className="border-b last:border-b-0">
          <th scope="row" className="py-1 text-left font-normal">
            <RuleButton code={deduction.code} onRule={onRule} />
          </th>
          <td className="pl-3 max-sm:hidden">
            <Severity severity={deduction.severity} />
          </td>
          <td className="pl-3 text-right whitespace-nowrap text-soft tabular-nums">
            {deduction.hits.toLocaleString()} of {deduction.targets.toLocaleString()}
          </td>
          <td className="pl-3 text-right tabular-nums">−{deduction.points.toFixed(2)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

/** The grade of a version: how it came about, rule by rule, and what would raise it with the least work. */
const GradeCard = ({ report, onRule }: Given) => {
  const { grade, guide } = report
  const { counts, score } = grade
  const costly = grade.deductions.filter((it) => it.points > 0).toSorted((a, b) => b.points - a.points)
  const outlook = outlookOf(grade)
  return (
    <div className="card grid gap-x-8 gap-y-4 p-4 lg:grid-cols-[minmax(0,1fr)_minmax(20rem,26rem)]">
      <div className="flex flex-wrap items-start gap-x-5 gap-y-3">
        <Grade grade={grade.grade} score={score} large />
        <div className="grid min-w-0 flex-1 basis-60 gap-1">
          <h2 className="font-semibold">{score === null ? 'Not graded' : `${score.toFixed(1)} of 100 points`}</h2>
          <p className="text-sm text-soft">
            Style guide {guide}: {count(counts.error, 'error', 'errors')},{' '}
            {count(counts.warning, 'warning', 'warnings')}, {counts.info.toLocaleString()} info,{' '}
            {count(counts.hint, 'hint', 'hints')}.
          </p>
          {outlook ? <p className="text-sm">{outlook}</p> : null}
        </div>
      </div>
      {costly.length > 0 && score !== null ? <Gains deductions={grade.deductions} onRule={onRule} /> : null}
      {costly.length > 0 ? (
        <details className="text-sm lg:col-span-2">
          <summary className="w-fit cursor-pointer font-medium">
            Points by rule <span className="font-normal text-soft">({count(costly.length, 'rule', 'rules')})</span>
          </summary>
          <p className="my-2 max-w-[75ch] text-soft">
            A rule with findings costs part of its weight (15 points for errors, 3 for warnings, 0.5 for info): 40
            percent for the first finding, all of it when a quarter of the checked places have findings. With errors,
            the best possible grade is B.
          </p>
          <Costs deductions={costly} onRule={onRule} />
        </details>
      ) : null}
    </div>
  )
}

const WordSelect = ({
  label,
  value,
  words,
  onChange,
}: {
  label: string
  value: string
  words: LintReport['rules']
  onChange: (word: string) => void
}) => (
  <FilterSelect
    label={label}
    value={value}
    options={words.items.map(({ name, count: n }) => ({ value: name, name, count: n }))}
    onChange={onChange}
  />
)

const Filters = ({ report, view }: { report: LintReport; view: ReportView }) => {
  const { filter } = useAddress()
  return (
    <>
      <Choices
        label="Severity"
        value={view.severity === '' ? null : view.severity}
        onChange={(severity) => filter({ severity: severity ?? '' })}
        choices={severities
          .filter((it) => report.severities[it] > 0 || it === view.severity)
          .map((it) => ({ value: it, name: it, count: report.severities[it] }))}
      />
      <WordSelect label="Rule" value={view.rule} words={report.rules} onChange={(rule) => filter({ rule })} />
      <WordSelect label="Place" value={view.place} words={report.places} onChange={(place) => filter({ place })} />
      <FilterSelect
        label="Group by"
        value={view.by}
        all={null}
        options={[
          { value: 'rule', name: 'by rule' },
          { value: 'place', name: 'by place' },
          { value: 'text', name: 'by line' },
        ]}
        onChange={(by) => filter({ by: by === 'rule' ? '' : by })}
      />
      <Choices
        label="Lines of the source"
        value={view.frames ? 'on' : null}
        onChange={(on) => filter({ frames: on === null ? 'no' : '' })}
        choices={[{ value: 'on', name: 'source lines' }]}
      />
    </>
  )
}

/** Enabled rules that did not apply: without findings, but nothing was checked. */
const Unmatched = ({ rules }: { rules: readonly string[] }) =>
  rules.length === 0 ? null : (
    <details className="text-sm">
      <summary className="w-fit cursor-pointer text-soft">
        {count(rules.length, 'rule', 'rules')} did not apply to this document
      </summary>
      <p className="mt-1 font-mono text-xs break-words">{rules.join(', ')}</p>
    </details>
  )

/** Rules that should have spoken and could not: the report says less than the guide asks for. */
const Skipped = ({ rules }: { rules: LintReport['skipped_rules'] }) =>
  rules.length === 0 ? null : (
    <div className="card grid gap-1 border-transparent bg-warn-wash px-4 py-3 text-sm">
      <p className="font-semibold text-warn">{count(rules.length, 'rule was', 'rules were')} skipped</p>
      <ul className="grid gap-0.5">
        {rules.map(({ code, reason }) => (
          <li key={code} className="break-words">
            <span className="font-mono text-xs">{code}</span>: <Words of={reason} />
          </li>
        ))}
      </ul>
    </div>
  )

/** The lint report of a version: the grade and what it is made of, and every finding with its place and its lines. */
export const LintReportView = ({ at, view }: { at: VersionRef; view: ReportView }) => {
  const { filter } = useAddress()
  const read = useQuery(lintSummaryQuery(at, view))
  // Read beside the summary, not after it.
  useQuery(findingsQuery(at, view, 0))
  return (
    <section aria-label="Lint report" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Read query={read} what="the lint report">
        {({ report, filter: shown }) => (
          <>
            <GradingNote tenant={at.tenant} />
            <GradeCard report={report} onRule={(rule) => filter({ rule, q: '', severity: '', place: '' })} />
            <Skipped rules={report.skipped_rules} />
            <Toolbar>
              <SearchField label="Search findings" value={view.q} onChange={(q) => filter({ q })} />
              {report.total === 0 ? null : <Filters report={report} view={view} />}
              <CommandHint command={svcCommand(at.tenant, ['version', 'lint', at.project, at.version])} />
            </Toolbar>
            {report.total === 0 ? (
              <Empty title="No findings">
                <p>All rules passed.</p>
              </Empty>
            ) : (
              <FindingsList at={at} report={report} view={{ ...shown, frames: view.frames }} />
            )}
            <Unmatched rules={report.unmatched_rules} />
          </>
        )}
      </Read>
    </section>
  )
}
