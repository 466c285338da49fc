import { Link } from '@tanstack/react-router'
import type { Compared, ConsumerImpact, Pair } from './queries.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { count } from '../../parts/text.ts'
import { Words } from '../../parts/page.tsx'
import { impactTones, impactWords } from './change-row.tsx'

const Impact = ({ pair, impact }: { pair: Pair; impact: ConsumerImpact }) => {
  const { filter } = useAddress()
  return (
    <li className="grid gap-1 px-4 py-2">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={impactTones[impact.status]}>{impactWords[impact.status]}</Badge>
        <Link
          to="/t/$tenant/$project/-/consumers/$consumer"
          params={{ tenant: pair.tenant, project: pair.base.project, consumer: impact.handle }}
          className="link min-w-0 break-words"
        >
          {impact.name}
        </Link>
        <span className="text-xs text-soft">
          revision {impact.revision}, declared against {impact.declared_against}
        </span>
        {impact.changes.length === 0 ? null : (
          <button type="button" className="link text-sm" onClick={() => filter({ consumer: impact.handle })}>
            Show {count(impact.changes.length, 'change', 'changes')}
            <span className="sr-only"> that {impact.name} sees</span>
          </button>
        )}
      </p>
      {impact.reasons.length === 0 ? null : (
        <ul className="grid gap-0.5 text-sm text-soft">
          {impact.reasons.slice(0, 10).map((reason, index) => (
            <li key={`${reason.reason} ${index}`}>
              <Words of={reason.message} /> <code className="font-mono text-xs">{reason.reason}</code>
            </li>
          ))}
          {impact.reasons.length > 10 ? <li>… and {impact.reasons.length - 10} more</li> : null}
        </ul>
      )}
    </li>
  )
}

const summaryOf = ({ broken, unknown, touched, unaffected }: NonNullable<Compared['consumers']>['counts']): string => {
  const total = broken + unknown + touched + unaffected
  if (broken + unknown === 0)
    return total === 1 ? 'The only consumer is not affected' : `None of ${total} consumers is affected`
  const words = [
    broken > 0 ? `${broken.toLocaleString()} of ${count(total, 'consumer', 'consumers')} would break` : '',
    unknown > 0 ? `${unknown.toLocaleString()} could not be decided` : '',
  ]
  return words.filter(Boolean).join(', ')
}

/** The affected consumers, the worst first; consumers without a declaration are not known. */
export const ConsumerImpacts = ({ pair, compared }: { pair: Pair; compared: Compared }) => {
  const report = compared.consumers
  if (report === undefined) return null
  const order = ['broken', 'unknown', 'touched', 'unaffected']
  const consumers = report.consumers.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status))
  if (consumers.length === 0)
    return (
      <p className="text-sm text-soft">
        No consumer of {pair.base.project} has declared what it uses.{' '}
        <Link
          to="/t/$tenant/$project/-/consumers"
          params={{ tenant: pair.tenant, project: pair.base.project }}
          className="link"
        >
          Consumers of {pair.base.project}
        </Link>
      </p>
    )
  return (
    <details className="card" open={report.counts.broken + report.counts.unknown > 0}>
      <summary className="cursor-pointer px-4 py-2.5 font-medium">{summaryOf(report.counts)}</summary>
      <ul className="max-h-80 divide-y overflow-auto border-t" tabIndex={0} aria-label="Affected consumers">
        {consumers.map((it) => (
          <Impact key={it.handle} pair={pair} impact={it} />
        ))}
      </ul>
    </details>
  )
}
