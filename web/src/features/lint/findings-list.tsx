import { useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { PlacedFinding } from '../../../../src/api/lint-findings.ts'
import type { StyleGuideRule } from '../../../../src/api/style-guide-shapes.ts'
import { useAddress } from '../../parts/address.ts'
import { Severity } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { count } from '../../parts/text.ts'
import { Words } from '../../parts/page.tsx'
import { NoMatch, Unread } from '../../parts/states.tsx'
import { mostPrinted, usePrinting, usePrintWhole, VirtualList } from '../../parts/virtual-list.tsx'
import { queryClient } from '../../query-client.ts'
import { findingsInPiece, findingsQuery, rulesQuery } from './queries.ts'
import type { VersionRef } from '../catalog/versions.ts'
import { FindingRow, RuleName } from './finding-row.tsx'
import { type LintReport, type ReportRow, type ReportView, rowsOf } from './report.ts'

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
  group: LintReport['groups'][number]
  by: 'rule' | 'place'
  rule: StyleGuideRule | undefined
  guide: string
  points: number | undefined
  open: boolean
  onToggle: () => void
}) => {
  const Mark = open ? ChevronDown : ChevronRight
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-0.5 bg-raised px-4 py-2">
      <button
        type="button"
        aria-expanded={open}
        aria-label={`${group.name}, ${count(group.count, 'finding', 'findings')}`}
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
            documentation={group.documentation_url ?? rule?.documentationUrl ?? null}
          />
        ) : (
          <span className="font-mono text-sm break-all">{group.name}</span>
        )}
      </h3>
      <Severity severity={group.severity} />
      <span className="text-sm text-soft tabular-nums">{count(group.count, 'finding', 'findings')}</span>
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

const pieceOf = (finding: number): number => Math.floor(finding / findingsInPiece)
const piecesOf = (rows: readonly ReportRow[]): number[] => [
  ...new Set(rows.flatMap((row) => ('at' in row ? [pieceOf(row.at)] : []))),
]

/** The findings of the rows that are on the screen or printed, which are read in pieces. */
const usePieces = (
  at: VersionRef,
  view: ReportView,
  rows: readonly ReportRow[],
  [first, last]: readonly [number, number],
) => {
  const isPrinting = usePrinting()
  const pieces = piecesOf(isPrinting ? rows.slice(0, mostPrinted) : rows.slice(first, last + 1))
  usePrintWhole(() =>
    Promise.all(
      piecesOf(rows.slice(0, mostPrinted)).map((piece) => queryClient.ensureQueryData(findingsQuery(at, view, piece))),
    ),
  )
  const read = useQueries({ queries: pieces.map((piece) => findingsQuery(at, view, piece)) })
  return {
    findingAt: (finding: number): PlacedFinding | undefined =>
      read[pieces.indexOf(pieceOf(finding))]?.data?.items[finding % findingsInPiece],
    failed: read.find((it) => it.error !== null),
  }
}

/** The rows of a report, and which of its groups are closed. */
const useRows = (report: LintReport) => {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(() => rowsOf(report, closed), [report, closed])
  const toggle = (name: string): void => {
    const next = new Set(closed)
    if (!next.delete(name)) next.add(name)
    setClosed(next)
  }
  const toggleAll = (): void => setClosed(closed.size > 0 ? new Set() : new Set(report.groups.map((it) => it.name)))
  return { rows, closed, toggle, toggleAll }
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

const Rows = ({
  at,
  report,
  view,
  rows,
  closed,
  onToggle,
}: {
  at: VersionRef
  report: LintReport
  view: ReportView
  rows: readonly ReportRow[]
  closed: ReadonlySet<string>
  onToggle: (name: string) => void
}) => {
  const [visible, setVisible] = useState<readonly [number, number]>([0, 20])
  const { findingAt, failed } = usePieces(at, view, rows, visible)
  const rules = useQuery(rulesQuery({ tenant: at.tenant, guide: report.guide_id }))
  const byId = useMemo(() => new Map(rules.data?.items.map((it) => [it.id, it])), [rules.data])
  const points = new Map(report.grade.deductions.map((it) => [it.code, it.points]))
  return (
    <>
      {failed ? <Unread error={failed.error} onRetry={() => void failed.refetch()} /> : null}
      <VirtualList
        label="Findings"
        total={rows.length}
        estimate={view.frames ? 150 : 62}
        height="max-h-[75vh]"
        onVisible={(first, last) =>
          setVisible((before) => (before[0] === first && before[1] === last ? before : [first, last]))
        }
      >
        {(index) => {
          const row = rows[index]
          if (!row) return null
          if ('group' in row)
            return (
              <GroupRow
                at={at}
                group={row.group}
                by={view.by === 'place' ? 'place' : 'rule'}
                rule={view.by === 'rule' ? byId.get(row.group.name) : undefined}
                guide={report.guide_id}
                points={view.by === 'rule' ? points.get(row.group.name) : undefined}
                open={!closed.has(row.group.name)}
                onToggle={() => onToggle(row.group.name)}
              />
            )
          const placed = findingAt(row.at)
          if (placed === undefined)
            return <p className={`px-4 py-2 text-soft ${view.frames ? 'h-36' : 'h-15'}`}>Loading …</p>
          return (
            <FindingRow
              at={at}
              finding={placed.finding}
              excerpt={placed.excerpt}
              showRule={view.by !== 'rule'}
              builtin={byId.get(placed.finding.code)?.origin === 'builtin'}
            />
          )
        }}
      </VirtualList>
    </>
  )
}

/** The findings that match the filters. However many there are, those on the screen are read and drawn. */
export const FindingsList = ({ at, report, view }: { at: VersionRef; report: LintReport; view: ReportView }) => {
  const { filter } = useAddress()
  const { rows, closed, toggle, toggleAll } = useRows(report)
  const groups = report.groups.length + report.more_groups
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <FindingCount shown={report.matching} total={report.total} groups={groups} by={view.by} />
        {groups > 1 ? (
          <Button look="quiet" onClick={toggleAll}>
            {closed.size > 0 ? 'Expand all' : 'Collapse all'}
          </Button>
        ) : null}
      </div>
      {report.matching === 0 ? (
        <NoMatch what="finding" onClear={() => filter({ q: '', severity: '', rule: '', place: '' })} />
      ) : (
        <Rows at={at} report={report} view={view} rows={rows} closed={closed} onToggle={toggle} />
      )}
      {report.more_groups === 0 ? null : (
        <p className="text-sm text-soft">
          {count(report.more_groups, 'more place is', 'more places are')} not listed: search, or choose a place.
        </p>
      )}
    </>
  )
}
