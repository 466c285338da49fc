import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type InboxKind, inboxKinds } from '../../../../src/api/inbox.ts'
import { useAddress } from '../../parts/address.ts'
import { buttonClass } from '../../parts/button.tsx'
import { Choices } from '../../parts/choices.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Listing, Read } from '../../parts/listing.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { pageSize } from '../../query-client.ts'
import { InboxList } from './inbox-list.tsx'
import { inboxQuery } from './inbox-queries.ts'

const kindNames: Readonly<Record<InboxKind, string>> = {
  review: 'Reviews',
  gateway_change: 'Gateway changes',
  gateway_release: 'Gateway releases',
  mcp_surface: 'MCP servers',
  candidate: 'Repository changes',
  webhook: 'Webhooks',
  mention: 'Mentions',
  news: 'Other news',
}

const Keys = () => (
  <p className="text-xs text-soft max-sm:hidden">
    <kbd>j</kbd> <kbd>k</kbd> move · <kbd>enter</kbd> open · <kbd>e</kbd> mark news as read
  </p>
)

/** Everything that waits for the person in one organization. */
export const InboxPage = ({ tenant, kind, offset }: { tenant: string; kind: InboxKind | null; offset: number }) => {
  const inbox = useQuery(inboxQuery(tenant, kind, pageSize, offset))
  const { filter, move } = useAddress()
  const counts = inbox.data?.counts
  const choices = inboxKinds
    .map((value) => ({ value: value as string, name: kindNames[value], count: counts?.by_kind[value] ?? 0 }))
    .filter((it) => it.count > 0 || it.value === kind)
  return (
    <Page
      title="Inbox"
      description="What waits for you: first what you are to decide, then what you should look at."
      actions={
        <>
          <Link to="/t/$tenant/-/reviews" params={{ tenant }} search={{ show: 'authored' }} className={buttonClass()}>
            Reviews you requested
          </Link>
          <Link to="/t/$tenant/-/notifications" params={{ tenant }} className={buttonClass()}>
            Notifications
          </Link>
          <CommandHint command={svcCommand(tenant, ['notification', 'inbox'])} />
        </>
      }
    >
      {choices.length > 1 || kind !== null ? (
        <Choices label="Kinds" value={kind} choices={choices} onChange={(next) => filter({ kind: next ?? '' })} />
      ) : null}
      <Listing
        query={inbox}
        what="your inbox"
        one="item of this kind"
        filtered={kind !== null}
        onClear={() => filter({ kind: '' })}
        onMove={move}
        empty={
          <Empty title="Nothing waits for you">
            <p>Reviews, approvals, changes of repositories, failing webhooks and mentions are listed here.</p>
          </Empty>
        }
      >
        {(items) => (
          <>
            <InboxList tenant={tenant} level="h2" items={items} />
            <Keys />
          </>
        )}
      </Listing>
    </Page>
  )
}

/** As many as the first page shows. */
const fewItems = 6

/** The first items of the inbox, on the first page. */
export const InboxSection = ({ tenant }: { tenant: string }) => {
  const inbox = useQuery(inboxQuery(tenant, null, fewItems, 0))
  return (
    <Section
      title="Inbox"
      actions={
        <Link to="/t/$tenant/-/inbox" params={{ tenant }} className="link text-sm">
          {inbox.data === undefined ? 'All' : `All ${inbox.data.total.toLocaleString()}`}
        </Link>
      }
    >
      <Read query={inbox} what="your inbox">
        {({ items }) =>
          items.length === 0 ? (
            <p className="text-sm text-soft">Nothing waits for you.</p>
          ) : (
            <InboxList tenant={tenant} level="h3" items={items} />
          )
        }
      </Read>
    </Section>
  )
}
