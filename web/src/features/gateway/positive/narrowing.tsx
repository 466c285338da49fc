import type { SecurityNarrowing } from '../../../../../src/api/gateway-positive.ts'
import { count } from '../../../parts/text.ts'

/** Which requests one version of a document refuses that another one accepts. */
export const Narrowing = ({ of: narrowing }: { of: SecurityNarrowing }) => (
  <div role="status" className="card grid gap-2 px-4 py-3 text-sm">
    <p className="font-medium">
      {narrowing.total === 0
        ? `No request that ${narrowing.from} accepts is refused by ${narrowing.to}.`
        : `${count(narrowing.total, 'change', 'changes')} from ${narrowing.from} to ${narrowing.to} ${narrowing.total === 1 ? 'narrows' : 'narrow'} requests:`}
    </p>
    {narrowing.total === 0 ? null : (
      <ul className="grid max-h-64 gap-1 overflow-y-auto" aria-label="Requests that are refused" tabIndex={0}>
        {narrowing.changes.map((one) => (
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
    {narrowing.consumers.length === 0 ? null : <p>Consumers that are touched: {narrowing.consumers.join(', ')}.</p>}
  </div>
)
