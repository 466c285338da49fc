import type { SecurityNarrowing } from '../../../../../src/api/gateway-positive.ts'
import { count } from '../../../parts/count.ts'

/** Which requests one version of a document refuses that another one accepts. */
export const Narrowing = ({ of: it }: { of: SecurityNarrowing }) => (
  <div role="status" className="card grid gap-2 px-4 py-3 text-sm">
    <p className="font-medium">
      {it.total === 0
        ? `No request that ${it.from} accepts is refused by ${it.to}.`
        : `${count(it.total, 'change', 'changes')} from ${it.from} to ${it.to} ${it.total === 1 ? 'narrows' : 'narrow'} requests:`}
    </p>
    {it.total === 0 ? null : (
      <ul className="grid max-h-64 gap-1 overflow-y-auto" aria-label="Requests that are refused" tabIndex={0}>
        {it.changes.map((one) => (
          <li key={`${one.method} ${one.path} ${one.message}`} className="wrap-anywhere">
            <code className="font-mono text-xs">
              {one.method} {one.path}
            </code>{' '}
            {one.message}
            {one.consumers.length === 0 ? '' : ` (${one.consumers.join(', ')})`}
          </li>
        ))}
      </ul>
    )}
    {it.consumers.length === 0 ? null : <p>Consumers that are touched: {it.consumers.join(', ')}.</p>}
  </div>
)
