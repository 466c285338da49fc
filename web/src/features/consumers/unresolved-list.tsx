import type { ConsumerContractRecord } from '../../../../src/api/consumer-shapes.ts'
import type { Unresolved } from './queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { count } from '../../parts/text.ts'
import { Words } from '../../parts/page.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'

/** What each reason code means and what one does about it, in a sentence. */
const reasonWords: Record<Unresolved['reason'], string> = {
  'operation-not-found': 'No path of this version matches. It may be mistyped or belong to another API.',
  'operation-retired': 'An earlier version had this operation; it was removed since.',
  'method-not-found': 'The path exists, but not with this method.',
  'ambiguous-path': 'Several paths match. Use the path template instead.',
  'status-not-declared': 'The operation does not declare this response.',
  'field-not-found': 'The schema does not have this field and never had it.',
  'field-removed': 'An earlier version had this field; it was removed since.',
  'parameter-not-found': 'The operation does not have this parameter.',
  'body-schema-missing': 'The body has no schema, so its fields cannot be checked.',
  'body-not-json': 'The body has no named fields: it is neither JSON nor a form.',
  'unsupported-interaction': 'This interaction has no HTTP request and response.',
}

/** What is drawn at once before a list scrolls by itself. */
const few = 30

const Item = ({ item }: { item: Unresolved }) => (
  <div className="grid gap-0.5 px-4 py-2.5">
    <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
      <Badge tone="danger">{item.reason}</Badge>
      {item.method === null && item.path === null ? null : (
        <span className="min-w-0 font-mono text-sm break-all">
          {[item.method, item.path].filter(Boolean).join(' ')}
          {item.status === null ? '' : ` → ${item.status}`}
        </span>
      )}
      {item.field === null ? null : (
        <span className="min-w-0 font-mono text-sm break-all text-soft">
          {item.location === null ? '' : `${item.location} `}
          {item.field}
        </span>
      )}
    </p>
    <p className="text-sm break-words">
      <Words of={item.message} />
    </p>
    <p className="text-sm text-soft">
      {reasonWords[item.reason]}
      {item.interaction === null ? null : (
        <>
          {' '}
          In the interaction <q>{item.interaction}</q>.
        </>
      )}
    </p>
  </div>
)

/** What a contract names and the version does not have, each with its reason explained. */
export const UnresolvedList = ({ items }: { items: readonly Unresolved[] }) => {
  if (items.length === 0) return null
  if (items.length > few)
    return (
      <VirtualList label="Unresolved items" total={items.length} estimate={92} height="max-h-96">
        {(index) => {
          const item = items[index]
          return item ? <Item item={item} /> : null
        }}
      </VirtualList>
    )
  return (
    <ul className="card divide-y" aria-label="Unresolved items">
      {items.map((item, index) => (
        <li key={`${item.reason} ${index}`}>
          <Item item={item} />
        </li>
      ))}
    </ul>
  )
}

/** What is odd about a contract and was resolved nevertheless. */
export const WarningList = ({ items }: { items: ConsumerContractRecord['warnings'] }) =>
  items.length === 0 ? null : (
    <details className="card">
      <summary className="cursor-pointer px-4 py-2.5 text-sm">
        {count(items.length, 'warning', 'warnings')} about resolved items
      </summary>
      <ul className="max-h-80 divide-y overflow-auto border-t" tabIndex={0} aria-label="Warnings">
        {items.slice(0, 200).map((item, index) => (
          <li key={`${item.path} ${item.field} ${index}`} className="grid gap-0.5 px-4 py-2 text-sm">
            <span className="font-mono break-all">
              {item.method} {item.path} {item.field}
            </span>
            <span className="text-soft">
              <Words of={item.message} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
