import { Link } from '@tanstack/react-router'
import type { Activity } from '../../../../src/api/home.ts'
import { Badge } from '../../parts/badge.tsx'
import { Moment } from '../../parts/page.tsx'
import { changeOf, meansOf, othersOf, verbOf } from './words.ts'

const Sentence = ({ tenant, it }: { tenant: string; it: Activity }) => {
  const change = changeOf(it)
  const means = meansOf(it)
  const params = { tenant, project: it.project_slug, version: it.version_slug }
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-0.5 px-4 py-2.5 text-sm">
      <p className="wrap-anywhere">
        <span className="font-medium">{it.actor}</span> {verbOf(it)}{' '}
        <Link to="/t/$tenant/$project/$version" params={params} className="link">
          {it.project_name} {it.label}
        </Link>
        {othersOf(it)}
        {change === 'breaking' ? (
          <>
            {' '}
            <Badge tone="danger">breaking</Badge>
          </>
        ) : change === null ? null : (
          <span className="text-soft"> · {change}</span>
        )}
      </p>
      <p className="text-xs text-soft">
        <Moment at={it.at} />
        {means === null ? '' : ` · ${means}`}
      </p>
    </li>
  )
}

/** What happened lately, as sentences, newest first. */
export const ActivityList = ({ tenant, items }: { tenant: string; items: readonly Activity[] }) =>
  items.length === 0 ? (
    <p className="text-sm text-soft">Nothing happened yet. Imports and publications are listed here.</p>
  ) : (
    <ul className="card divide-y" aria-label="Activity">
      {items.map((it) => (
        <Sentence key={it.id} tenant={tenant} it={it} />
      ))}
    </ul>
  )
