import { useQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import type { VersionRecord } from '../../../../src/api/versions.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { Read } from '../../parts/listing.tsx'
import { Section } from '../../parts/page.tsx'
import { Loading } from '../../parts/states.tsx'
import { count } from '../../parts/text.ts'
import { holds, identityQuery } from '../../session.ts'
import { type VersionRef, versionQuery } from '../catalog/versions.ts'
import { portalQuery } from '../settings/portal.ts'
import { subscriptionsQuery } from '../webhooks/queries.ts'

const Step = ({ name, children }: { name: string; children: ReactNode }) => (
  <li className="grid gap-x-4 gap-y-1 px-4 py-3 sm:grid-cols-[9rem_minmax(0,1fr)]">
    <h3 className="text-sm font-medium">{name}</h3>
    <div className="grid min-w-0 gap-1 text-sm">{children}</div>
  </li>
)

const Address = ({ url, what }: { url: string; what: string }) => (
  <span className="flex min-w-0 items-start gap-2">
    <a href={url} target="_blank" rel="noreferrer" className="link min-w-0 wrap-anywhere">
      {url} <ExternalLink size={13} className="inline" aria-label="(opens in a new tab)" />
    </a>
    <CopyButton text={url} what={what} />
  </span>
)

/** The portal that shows the version to everybody, or what keeps it from that. */
const PortalStep = ({ at, record }: { at: VersionRef; record: VersionRecord }) => {
  const setting = useQuery(portalQuery(at.tenant))
  return (
    <Step name="Portal">
      <Read query={setting} what="the portal">
        {({ enabled, url }) => {
          if (record.visibility === 'private') return <p>Not in it: only members can see this version.</p>
          return enabled ? (
            <Address url={url} what="the address of the portal" />
          ) : (
            <p>
              Switched off.{' '}
              <Link to="/t/$tenant/-/settings" params={{ tenant: at.tenant }} hash="portal" className="link">
                Settings
              </Link>
            </p>
          )
        }}
      </Read>
    </Step>
  )
}

/** The push webhooks that get an event of the version. */
const DeliveriesStep = ({ tenant }: { tenant: string }) => {
  const subscriptions = useQuery(subscriptionsQuery(tenant))
  return (
    <Step name="Deliveries">
      <Read query={subscriptions} what="the webhooks">
        {(all) => {
          const active = all.filter((one) => one.active).length
          return (
            <p>
              {active === 0 ? 'No webhook tells others of it. ' : `Sent to ${count(active, 'webhook', 'webhooks')}. `}
              <Link to="/t/$tenant/-/webhooks" params={{ tenant }} className="link">
                Webhooks
              </Link>
            </p>
          )
        }}
      </Read>
    </Step>
  )
}

/** What there is once a version is published: where it is read, who gets an event, and what to do next. */
export const PublishedSteps = ({ at, record }: { at: VersionRef; record: VersionRecord }) => {
  const identity = useQuery(identityQuery)
  return (
    <Section title={`${record.label} is published`} description="Its content does not change any more.">
      <ul className="card divide-y">
        <Step name="Documentation">
          <Address url={record.urls.page} what="the address of the documentation" />
        </Step>
        <PortalStep at={at} record={record} />
        <Step name="Badge">
          <p>
            <Link to="/t/$tenant/$project/$version" params={{ ...at }} search={{ dialog: 'badges' }} className="link">
              Badges for a README
            </Link>
          </p>
        </Step>
        <Step name="Release notes">
          <p>
            <Link to="/t/$tenant/$project/$version/changes/report" params={{ ...at }} className="link">
              Read and edit them
            </Link>
          </p>
        </Step>
        {holds(identity.data, at.tenant, 'webhooks:view') ? <DeliveriesStep tenant={at.tenant} /> : null}
      </ul>
    </Section>
  )
}

/** Where publishing ends: what there is now, and who gets an event. A draft is not there yet: its overview says what is missing. */
export const PublishedView = ({ at }: { at: VersionRef }) => {
  const version = useQuery(versionQuery(at))
  return (
    <Read query={version} what="the version">
      {(record) => {
        if (record.status !== 'draft') return <PublishedSteps at={at} record={record} />
        // It may have been published a moment ago.
        return version.isFetching ? (
          <Loading what="what was published" />
        ) : (
          <Navigate to="/t/$tenant/$project/$version" params={{ ...at }} hash="gates" replace />
        )
      }}
    </Read>
  )
}
