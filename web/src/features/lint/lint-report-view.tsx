import { useQuery } from '@tanstack/react-query'
import { useAddress } from '../../parts/address.ts'
import { Choices } from '../../parts/choices.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Read } from '../../parts/listing.tsx'
import { count } from '../../parts/count.ts'
import { Toolbar, Words } from '../../parts/page.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Empty } from '../../parts/states.tsx'
import type { VersionRef } from '../versions/queries.ts'
import { GradingNote } from '../versions/grading.tsx'
import { FindingsList } from './findings-list.tsx'
import { GradeCard } from './grade-card.tsx'
import { findingsQuery, lintSummaryQuery } from './queries.ts'
import { type LintReport, type ReportView, severities } from './report.ts'

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
  <select
    aria-label={label}
    className="field w-full max-w-72 py-1 text-sm sm:w-auto"
    value={value}
    onChange={(event) => onChange(event.target.value)}
  >
    <option value="">{label}: all</option>
    {value !== '' && words.items.every(({ name }) => name !== value) ? (
      <option value={value}>{value} (0)</option>
    ) : null}
    {words.items.map(({ name, count: n }) => (
      <option key={name} value={name}>
        {name} ({n.toLocaleString()})
      </option>
    ))}
    {words.total > words.items.length ? (
      <option disabled>{(words.total - words.items.length).toLocaleString()} more: use the search</option>
    ) : null}
  </select>
)

const Filters = ({ report, view }: { report: LintReport; view: ReportView }) => {
  const { filter } = useAddress()
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Choices
        label="Severity"
        value={view.severity === '' ? null : view.severity}
        onChange={(severity) => filter({ severity: severity ?? '' })}
        choices={severities.map((it) => ({ value: it, name: it, count: report.severities[it] }))}
      />
      <WordSelect label="Rule" value={view.rule} words={report.rules} onChange={(rule) => filter({ rule })} />
      <WordSelect label="Place" value={view.place} words={report.places} onChange={(place) => filter({ place })} />
      <Choices
        label="Group by"
        value={view.by}
        onChange={(by) => filter({ by: by === null || by === 'rule' ? '' : by })}
        choices={[
          { value: 'rule', name: 'by rule' },
          { value: 'place', name: 'by place' },
          { value: 'text', name: 'by line' },
        ]}
      />
      <Choices
        label="Lines of the source"
        value={view.frames ? 'on' : null}
        onChange={(on) => filter({ frames: on === null ? 'no' : '' })}
        choices={[{ value: 'on', name: 'source lines' }]}
      />
    </div>
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
    <div className="card grid gap-1 border-warn bg-warn-wash px-4 py-3 text-sm">
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
              <CommandHint command={svcCommand(at.tenant, ['version', 'lint', at.project, at.version])} />
            </Toolbar>
            {report.total === 0 ? (
              <Empty title="No findings">
                <p>All rules passed.</p>
              </Empty>
            ) : (
              <>
                <Filters report={report} view={view} />
                <FindingsList at={at} report={report} view={{ ...shown, frames: view.frames }} />
              </>
            )}
            <Unmatched rules={report.unmatched_rules} />
          </>
        )}
      </Read>
    </section>
  )
}
