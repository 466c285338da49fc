import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import type { ConsumerRecord } from '../../../../src/api/consumer-shapes.ts'
import { consumerQuery, type ConsumerRef } from './queries.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Window } from '../../parts/dialog.tsx'
import { Read } from '../../parts/listing.tsx'
import { Facts, Moment, Page } from '../../parts/page.tsx'
import { needs } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { Tabs } from '../../routing/tabs.tsx'
import { EditConsumer, RetireConsumer } from './consumer-forms.tsx'
import { PactWindow } from './pact-import.tsx'
import { ProjectTrail } from '../catalog/project-trail.tsx'

const RetiredNotice = ({ at }: { at: string }) => (
  <p role="status" className="card border-transparent bg-warn-wash px-4 py-3 text-warn">
    This consumer was retired on <Moment at={at} />. Its revisions are kept, but it cannot declare anything new.
  </p>
)

/** Who owns the consumer, and what else was registered about it; nothing if nothing was. */
const ConsumerFacts = ({ consumer: { owner, contact, metadata } }: { consumer: ConsumerRecord }) =>
  owner === null && contact === null && Object.keys(metadata).length === 0 ? null : (
    <Facts
      facts={[
        ['Owner', owner],
        ['Contact', contact],
        ...Object.entries(metadata).map(
          ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
        ),
      ]}
    />
  )

/** One consumer: who it is above, and one of its views below. */
export const ConsumerPage = (at: ConsumerRef) => {
  const query = useQuery(consumerQuery(at))
  const identity = useQuery(identityQuery)
  const { dialog, open, close } = useAddress()
  const consumer = query.data?.consumer
  const live = consumer !== undefined && consumer.retired_at === null
  const mayEdit = live && holds(identity.data, at.tenant, 'consumer_contracts:edit')
  const mayRetire = live && holds(identity.data, at.tenant, 'consumer_contracts:delete')
  return (
    <Page
      trail={<ProjectTrail tenant={at.tenant} project={at.project} within="consumers" />}
      title={consumer?.name ?? at.consumer}
      badges={
        consumer ? (
          <>
            <Badge>{consumer.handle}</Badge>
            {consumer.retired_at === null ? null : <Badge tone="warn">retired</Badge>}
            {query.data?.contract === null ? <Badge tone="warn">not declared</Badge> : null}
          </>
        ) : null
      }
      description={consumer?.description ?? `A consumer of ${at.project}.`}
      actions={
        <>
          {mayEdit ? <Button onClick={() => open('edit')}>Edit …</Button> : null}
          {mayEdit ? <Button onClick={() => open('pact')}>Import a Pact …</Button> : null}
          {mayRetire ? (
            <Button look="danger" onClick={() => open('retire')}>
              Retire …
            </Button>
          ) : null}
        </>
      }
    >
      <Read query={query} what="the consumer">
        {({ consumer: record, revisions_count: revisions }) => (
          <>
            {record.retired_at === null ? null : <RetiredNotice at={record.retired_at} />}
            <ConsumerFacts consumer={record} />
            {live && identity.data && !mayEdit ? (
              <p className="text-sm text-soft">{needs('consumer_contracts:edit', 'Editing a consumer')}</p>
            ) : null}
            <Tabs of="consumer" params={{ ...at }} />
            <Outlet />
            <Window open={dialog === 'edit' && mayEdit} onClose={close} title={`Edit ${record.name}`}>
              <EditConsumer at={at} consumer={record} onClose={close} />
            </Window>
            <RetireConsumer
              id={record.id}
              at={at}
              name={record.name}
              revisions={revisions}
              open={dialog === 'retire' && mayRetire}
              onClose={close}
            />
            <PactWindow
              open={dialog === 'pact' && mayEdit}
              onClose={close}
              tenant={at.tenant}
              project={at.project}
              consumer={record.handle}
            />
          </>
        )}
      </Read>
    </Page>
  )
}
