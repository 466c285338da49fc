import { Grade, Severity } from '../../parts/badge.tsx'
import { count } from '../../parts/count.ts'
import { mostPointsPerFinding, type Deduction, type LintReport, outlookOf } from './report.ts'

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
      {mostPointsPerFinding(deductions).map((it) => (
        <li key={it.code} className="grid grid-cols-[3.5rem_minmax(0,1fr)_auto] items-baseline gap-x-2">
          <span className="text-right font-medium text-ok tabular-nums">+{it.points.toFixed(1)}</span>
          <RuleButton code={it.code} onRule={onRule} />
          <span className="text-xs text-soft tabular-nums">{count(it.hits, 'occurrence', 'occurrences')}</span>
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
      {deductions.map((it) => (
        <tr key={it.code} className="border-b last:border-b-0">
          <th scope="row" className="py-1 text-left font-normal">
            <RuleButton code={it.code} onRule={onRule} />
          </th>
          <td className="pl-3 max-sm:hidden">
            <Severity severity={it.severity} />
          </td>
          <td className="pl-3 text-right whitespace-nowrap text-soft tabular-nums">
            {it.hits.toLocaleString()} of {it.targets.toLocaleString()}
          </td>
          <td className="pl-3 text-right tabular-nums">−{it.points.toFixed(2)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

/** The grade of a version: how it came about, rule by rule, and what would raise it with the least work. */
export const GradeCard = ({ report, onRule }: Given) => {
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
