import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Read } from '../../parts/listing.tsx'
import { Moment, Page } from '../../parts/page.tsx'
import { Empty } from '../../parts/states.tsx'
import { sessionQuery } from '../../session.ts'
import { WebhookTrouble } from '../webhooks/trouble-notice.tsx'
import { isWaitingFor, waitingQuery } from './queries.ts'

/** The reviews that wait for the person who is signed in. */
export const WaitingPage = ({ tenant }: { tenant: string }) => {
  const waiting = useQuery(waitingQuery(tenant))
  const session = useQuery(sessionQuery)
  const me = session.data?.user?.id
  return (
    <Page
      title="Waiting for you"
      description="Drafts that you are asked to review and have not answered."
      actions={<CommandHint command={svcCommand(tenant, ['review', 'mine'])} />}
    >
      <WebhookTrouble tenant={tenant} />
      <Read query={waiting} what="your reviews">
        {({ reviews }) => {
          const open = reviews.filter((it) => isWaitingFor(it, me))
          return open.length === 0 ? (
            <Empty title="Nothing waits for you">
              <p>When a member asks for your review, the draft is listed here.</p>
            </Empty>
          ) : (
            <ul className="card divide-y" aria-label="Reviews">
              {open.map((it) => (
                <li key={it.id} className="grid gap-0.5 px-4 py-3">
                  <Link
                    to="/t/$tenant/$project/$version/review"
                    params={{ tenant, project: it.project_slug, version: it.version_label }}
                    className="link w-fit font-medium"
                  >
                    {it.project_slug} {it.version_label}
                  </Link>
                  <p className="text-sm text-soft">
                    Requested by {it.requested_by?.name ?? 'the service'}, <Moment at={it.created_at} exact />
                  </p>
                </li>
              ))}
            </ul>
          )
        }}
      </Read>
    </Page>
  )
}
