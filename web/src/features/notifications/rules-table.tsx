import type { NotificationTarget } from '../../../../src/api/notification-targets.ts'
import { type NotificationType, notificationTypes } from '../../../../src/api/notifications.ts'
import { useAddress } from '../../parts/address.ts'
import { limitsText, saying, setRule, typeNames } from './target-queries.ts'

const details: Readonly<Record<NotificationType, string>> = {
  mention: 'somebody mentioned you',
  review_requested: 'your review is asked for',
  review_decision: 'a review that you requested was decided',
  thread_resolved: 'a thread that you took part in was resolved',
  version_published: 'a version that you worked on was published',
  repository: 'a repository or a linked account needs attention',
  mcp_server: 'a server offers something else than before',
  gateway: 'a gateway is silent or failed, or a change needs approval',
  account: 'the safety of your account',
}

/** Why a cell cannot be changed; null where it can. */
function fixedBecause(target: NotificationTarget, type: NotificationType, may: boolean): string | null {
  if (target.kind === 'bell' && type === 'account') return 'always'
  if (target.owner === 'organization' && (type === 'mention' || type === 'account')) return 'personal'
  if (target.owner === 'organization' && !may) return 'read'
  return null
}

const Cell = ({
  tenant,
  target,
  type,
  may,
}: {
  tenant: string
  target: NotificationTarget
  type: NotificationType
  may: boolean
}) => {
  const { open } = useAddress()
  const rule = target.rules.find((one) => one.type === type)
  const fixed = fixedBecause(target, type, may)
  const about = `${typeNames[type]} to ${target.name}`
  if (fixed === 'personal')
    return (
      <span className="text-faint" title="About one person, never of an organization">
        –<span className="sr-only"> {about}: about one person, never of an organization</span>
      </span>
    )
  return (
    <span className="flex min-w-0 items-center gap-2">
      <input
        type="checkbox"
        aria-label={about}
        title={fixed === 'always' ? 'Always in the bell' : undefined}
        checked={rule !== undefined}
        disabled={fixed !== null}
        onChange={(event) => {
          const limits = event.target.checked ? { projects: [], tags: [] } : null
          void saying(() => setRule(tenant, target.id, type, limits))
        }}
      />
      {rule === undefined || fixed === 'always' ? null : (
        <button
          type="button"
          className="min-w-0 truncate text-xs text-soft hover:text-ink hover:underline disabled:no-underline"
          disabled={fixed !== null}
          title={limitsText(rule)}
          onClick={() => open('limit', `${target.id} ${type}`)}
        >
          <span className="sr-only">{about}: </span>
          {limitsText(rule)}
        </button>
      )}
    </span>
  )
}

/** Which news go where: types as rows, targets as columns. */
export const RulesTable = ({
  tenant,
  targets,
  may,
}: {
  tenant: string
  targets: readonly NotificationTarget[]
  /** Whether the person may change the chats of the organization. */
  may: boolean
}) => (
  // A region that is scrolled has to be reached by keys.
  <div id="rules" className="card overflow-x-auto" role="region" aria-label="Which news go where" tabIndex={0}>
    <table className="w-full text-sm">
      <thead>
        <tr className="border-b text-left text-xs text-soft">
          <th scope="col" className="h-9 px-3 font-medium">
            News
          </th>
          {targets.map((target) => (
            <th
              key={target.id}
              scope="col"
              className="h-9 max-w-44 min-w-28 truncate px-3 font-medium"
              title={target.name}
            >
              {target.name}
              {target.active ? null : <span className="text-warn"> (off)</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y">
        {notificationTypes.map((type) => (
          <tr key={type} className="hover:bg-raised">
            <th scope="row" className="h-9 px-3 text-left font-normal">
              <span className="flex items-baseline gap-2">
                <span className="whitespace-nowrap">{typeNames[type]}</span>
                <span className="truncate text-xs text-faint max-lg:hidden">{details[type]}</span>
              </span>
            </th>
            {targets.map((target) => (
              <td key={target.id} className="h-9 max-w-44 px-3">
                <Cell tenant={tenant} target={target} type={type} may={may} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
