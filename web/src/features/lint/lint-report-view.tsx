import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { StyleGuideRule } from '../../../../src/api/style-guide-shapes.ts'
import { useAddress } from '../../parts/address.ts'
import { Severity } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Choices } from '../../parts/choices.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Read } from '../../parts/listing.tsx'
import { count } from '../../parts/count.ts'
import { Toolbar, Words } from '../../parts/page.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { useLines } from '../../parts/source-frame.tsx'
import { Empty, NoMatch } from '../../parts/states.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { documentTextQuery, type VersionRef, versionQuery } from '../versions/queries.ts'
import {
  countBy,
  filterFindings,
  type FindingFilter,
  type Group,
  groupFindings,
  type LintReport,
  placeOf,
  severities,
} from './report.ts'
import { FindingRow, RuleName } from './finding-row.tsx'
import { GradingNote } from '../versions/grading.tsx'
import { GradeCard } from './grade-card.tsx'
import { rulesQuery } from '../style-guides/queries.ts'
import { type Finding, lintQuery } from './queries.ts'

/** How a report is shown: its filters, and how findings are put together. */
export interface ReportView extends FindingFilter {
  readonly by: 'rule' | 'place' | 'text'
  readonly frames: boolean
}

/** More options than this are found by the search. */
const mostWords = 300

const WordSelect = ({
  label,
  value,
  words,
  onChange,
}: {
  label: string
  value: string
  words: readonly (readonly [word: string, count: number])[]
  onChange: (word: string) => void
}) => (
  <select
    aria-label={label}
    className="field w-full max-w-72 py-1 text-sm sm:w-auto"
    value={value}
    onChange={(event) => onChange(event.target.value)}
  >
    <option value="">{label}: all</option>
    {value !== '' && words.every(([word]) => word !== value) ? <option value={value}>{value} (0)</option> : null}
    {words.slice(0, mostWords).map(([word, n]) => (
      <option key={word} value={word}>
        {word} ({n.toLocaleString()})
      </option>
    ))}
    {words.length > mostWords ? (
      <option disabled>{(words.length - mostWords).toLocaleString()} more: use the search</option>
    ) : null}
  </select>
)

const Filters = ({ findings, view }: { findings: readonly Finding[]; view: ReportView }) => {
  const { filter } = useAddress()
  const { q, rule, place } = view
  const rules = useMemo(() => countBy(findings, (it) => it.code), [findings])
  const places = useMemo(() => countBy(findings, placeOf), [findings])
  const counts = useMemo(
    () => new Map(countBy(filterFindings(findings, { q, rule, place, severity: '' }), (it) => it.severity)),
    [findings, q, rule, place],
  )
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Choices
        label="Severity"
        value={view.severity === '' ? null : view.severity}
        onChange={(severity) => filter({ severity: severity ?? '' })}
        choices={severities.map((it) => ({ value: it, name: it, count: counts.get(it) ?? 0 }))}
      />
      <WordSelect label="Rule" value={view.rule} words={rules} onChange={(rule) => filter({ rule })} />
      <WordSelect label="Place" value={view.place} words={places} onChange={(place) => filter({ place })} />
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

const GroupRow = ({
  at,
  group,
  by,
  rule,
  guide,
  points,
  open,
  onToggle,
}: {
  at: VersionRef
  group: Group
  by: 'rule' | 'place'
  rule: StyleGuideRule | undefined
  guide: string
  points: number | undefined
  open: boolean
  onToggle: () => void
}) => {
  const Mark = open ? ChevronDown : ChevronRight
  const documentation = group.findings.find((it) => it.documentationUrl !== null)?.documentationUrl ?? null
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-0.5 bg-raised px-4 py-2">
      <button
        type="button"
        aria-expanded={open}
        aria-label={`${group.name}, ${count(group.findings.length, 'finding', 'findings')}`}
        onClick={onToggle}
        className="-ml-2 inline-flex size-7 shrink-0 items-center justify-center rounded-md hover:bg-surface"
      >
        <Mark size={16} aria-hidden="true" />
      </button>
      <h3 className="min-w-0 text-sm font-semibold">
        {by === 'rule' ? (
          <RuleName
            code={group.name}
            builtin={rule?.origin === 'builtin'}
            documentation={documentation ?? rule?.documentationUrl ?? null}
          />
        ) : (
          <span className="font-mono text-sm break-all">{group.name}</span>
        )}
      </h3>
      <Severity severity={group.severity} />
      <span className="text-sm text-soft tabular-nums">{count(group.findings.length, 'finding', 'findings')}</span>
      {points ? <span className="text-sm text-soft tabular-nums">−{points.toFixed(1)} points</span> : null}
      {rule ? (
        <Link
          to="/t/$tenant/-/style-guides/$guide"
          params={{ tenant: at.tenant, guide }}
          search={{ q: group.name }}
          className="link ml-auto text-xs"
        >
          In the style guide<span className="sr-only">: {group.name}</span>
        </Link>
      ) : null}
      {rule?.description ? (
        <p className="basis-full pl-8 text-sm text-soft">
          <Words of={rule.description} />
        </p>
      ) : null}
    </div>
  )
}

type Row = { readonly group: Group } | { readonly finding: Finding }

/** The text that frames are cut from, and which findings are about it: those in other files have none here. */
const useFrames = (at: VersionRef, wanted: boolean) => {
  const text = useQuery({ ...documentTextQuery(at), enabled: wanted })
  const version = useQuery(versionQuery(at))
  const lines = useLines(text.data?.text ?? null)
  const provenance = version.data?.provenance
  const name = provenance?.path ?? provenance?.source
  return (finding: Finding): readonly string[] | null => (wanted && finding.source === name ? lines : null)
}

/** The findings that match the filters, as rows: each group is followed by its findings unless it is closed. */
const useRows = (findings: readonly Finding[], { by, q, severity, rule, place }: ReportView) => {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const shown = useMemo(
    () => filterFindings(findings, { q, severity, rule, place }),
    [findings, q, severity, rule, place],
  )
  const groups = useMemo(() => (by === 'text' ? [] : groupFindings(shown, by)), [shown, by])
  const rows: readonly Row[] = useMemo(
    () =>
      by === 'text'
        ? shown.map((finding) => ({ finding }))
        : groups.flatMap((group) => [
            { group },
            ...(closed.has(group.name) ? [] : group.findings.map((finding) => ({ finding }))),
          ]),
    [by, shown, groups, closed],
  )
  const toggle = (name: string): void => {
    const next = new Set(closed)
    if (!next.delete(name)) next.add(name)
    setClosed(next)
  }
  const toggleAll = (): void => setClosed(closed.size > 0 ? new Set() : new Set(groups.map((it) => it.name)))
  return { shown, groups, rows, closed, toggle, toggleAll }
}

/** How many findings are shown, in how many groups. */
const FindingCount = ({
  shown,
  total,
  groups,
  by,
}: {
  shown: number
  total: number
  groups: number
  by: ReportView['by']
}) => (
  <p role="status" className="text-sm text-soft">
    {shown === total
      ? count(shown, 'finding', 'findings')
      : `${shown.toLocaleString()} of ${count(total, 'finding', 'findings')}`}
    {by === 'text' ? '' : ` in ${by === 'rule' ? count(groups, 'rule', 'rules') : count(groups, 'place', 'places')}`}
  </p>
)

const Findings = ({ at, report, view }: { at: VersionRef; report: LintReport; view: ReportView }) => {
  const { filter } = useAddress()
  const { shown, groups, rows, closed, toggle, toggleAll } = useRows(report.findings, view)
  const rules = useQuery(rulesQuery({ tenant: at.tenant, guide: report.guide_id }))
  const linesOf = useFrames(at, view.frames)
  const byId = useMemo(() => new Map(rules.data?.items.map((it) => [it.id, it])), [rules.data])
  const points = new Map(report.grade.deductions.map((it) => [it.code, it.points]))
  if (report.findings.length === 0)
    return (
      <Empty title="No findings">
        <p>All rules passed.</p>
      </Empty>
    )
  return (
    <>
      <Filters findings={report.findings} view={view} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <FindingCount shown={shown.length} total={report.findings.length} groups={groups.length} by={view.by} />
        {groups.length > 1 ? (
          <Button look="quiet" onClick={toggleAll}>
            {closed.size > 0 ? 'Expand all' : 'Collapse all'}
          </Button>
        ) : null}
      </div>
      {shown.length === 0 ? (
        <NoMatch what="finding" onClear={() => filter({ q: '', severity: '', rule: '', place: '' })} />
      ) : (
        <VirtualList label="Findings" total={rows.length} estimate={view.frames ? 150 : 62} height="max-h-[75vh]">
          {(index) => {
            const row = rows[index]
            if (!row) return null
            return 'finding' in row ? (
              <FindingRow
                at={at}
                finding={row.finding}
                lines={linesOf(row.finding)}
                showRule={view.by !== 'rule'}
                builtin={byId.get(row.finding.code)?.origin === 'builtin'}
              />
            ) : (
              <GroupRow
                at={at}
                group={row.group}
                by={view.by === 'place' ? 'place' : 'rule'}
                rule={view.by === 'rule' ? byId.get(row.group.name) : undefined}
                guide={report.guide_id}
                points={view.by === 'rule' ? points.get(row.group.name) : undefined}
                open={!closed.has(row.group.name)}
                onToggle={() => toggle(row.group.name)}
              />
            )
          }}
        </VirtualList>
      )}
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
  const report = useQuery(lintQuery(at))
  return (
    <section aria-label="Lint report" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Read query={report} what="the lint report">
        {(report) => (
          <>
            <GradingNote tenant={at.tenant} />
            <GradeCard report={report} onRule={(rule) => filter({ rule, q: '', severity: '', place: '' })} />
            <Skipped rules={report.skipped_rules} />
            <Toolbar>
              <SearchField label="Search findings" value={view.q} onChange={(q) => filter({ q })} />
              <CommandHint command={svcCommand(at.tenant, ['version', 'lint', at.project, at.version])} />
            </Toolbar>
            <Findings at={at} report={report} view={view} />
            <Unmatched rules={report.unmatched_rules} />
          </>
        )}
      </Read>
    </section>
  )
}
