import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { repositoryHooksApi } from '../../../../src/api/repository-hooks.ts'
import type { Repository } from '../../../../src/api/repository-shapes.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { CopyButton, svcCommand } from '../../parts/copy.tsx'
import { DangerConfirmation, Window } from '../../parts/dialog.tsx'
import { List, Row } from '../../parts/list.tsx'
import { Read } from '../../parts/listing.tsx'
import { Empty, needs, Notice } from '../../parts/states.tsx'
import { Facts, Moment, Section } from '../../parts/page.tsx'
import { useCreatedSecret } from '../../parts/secret.tsx'
import { holds, identityQuery } from '../../session.ts'
import { CreateHook, type MadeHook, RotateHook, ShownHook } from './hook-forms.tsx'
import { providerNames } from '../git-providers/providers.ts'
import { refreshRepositories } from '../git-providers/queries.ts'
import { hookQuery, type RepositoryAt, repositoryParams, repositoryQuery } from './queries.ts'
import { eventOutcomes, type Hook, type HookEvent, hookNames, hookTones } from './words.ts'

const EventRow = ({ tenant, event }: { tenant: string; event: HookEvent }) => {
  const { name, tone, advice } = eventOutcomes[event.outcome]
  const isAddress = event.outcome === 'ip-blocked' || event.outcome === 'ip-warned'
  return (
    <Row>
      <Badge tone={tone}>{name}</Badge>
      <span className="truncate font-mono text-xs">{event.event}</span>
      <code className="truncate font-mono text-xs text-soft">{event.ref}</code>
      <span className="truncate text-soft max-md:w-full" title={advice === '' ? undefined : advice}>
        {advice}{' '}
        {isAddress ? (
          <Link to="/t/$tenant/-/repositories/sources" params={{ tenant }} className="link">
            Webhook sources
          </Link>
        ) : null}
      </span>
      <span className="truncate font-mono text-xs text-soft" title={event.delivery_id ?? undefined}>
        {event.delivery_id === null ? null : <span className="sr-only">Delivery </span>}
        {event.delivery_id}
      </span>
      <span className="text-soft">
        <Moment at={event.at} />
      </span>
    </Row>
  )
}

const About = ({ of: hook }: { of: Hook }) => (
  <div className="card p-4">
    <Facts
      facts={[
        [
          'State',
          <Badge key="state" tone={hookTones[hook.state]}>
            {hookNames[hook.state]}
          </Badge>,
        ],
        [
          'Address',
          <span key="url" className="inline-flex max-w-full items-start gap-1">
            <code className="min-w-0 font-mono text-xs break-all">{hook.url}</code>
            <CopyButton text={hook.url} what="the address" />
          </span>,
        ],
        ['Events', hook.events.join(', ')],
        [
          'Secret',
          <span key="secret">
            fingerprint <code className="font-mono text-xs">{hook.fingerprint}</code>
          </span>,
        ],
        [
          'Previous secret',
          hook.previousFingerprint === null || hook.graceUntil === null ? null : (
            <>
              fingerprint <code className="font-mono text-xs">{hook.previousFingerprint}</code>, accepted until{' '}
              <Moment at={hook.graceUntil} exact />
            </>
          ),
        ],
        ['Created by', hook.providerHookId === null ? 'a person, at the provider' : 'the linked account'],
        ['Last delivery', hook.lastDeliveryAt === null ? null : <Moment at={hook.lastDeliveryAt} />],
      ]}
    />
  </div>
)

const NoHook = ({ repository, may }: { repository: Repository; may: boolean }) => {
  const { open } = useAddress()
  return (
    <Empty title="No webhook">
      <p>
        Without one the service polls the repository about every 5 minutes. A webhook of{' '}
        {providerNames[repository.provider]} reports each push immediately and uses no poll;{' '}
        {providerNames[repository.provider]} must be able to reach this service.
      </p>
      {may ? (
        <Button look="primary" onClick={() => open('create')}>
          Create a webhook …
        </Button>
      ) : (
        <p>{needs('repositories:edit', 'Creating one')}</p>
      )}
    </Empty>
  )
}

const Events = ({ tenant, events }: { tenant: string; events: readonly HookEvent[] }) => (
  <Section
    title="Deliveries"
    description="The last 50, newest first. Bodies are not kept: what moved is read from the repository."
  >
    {events.length === 0 ? (
      <Empty title="Nothing arrived yet">
        <p>Push a commit, or send a test from the settings of the webhook at the provider.</p>
      </Empty>
    ) : (
      <List
        label="Deliveries"
        columns="8.5rem minmax(0,7rem) minmax(0,1fr) minmax(0,1.6fr) minmax(0,1fr) 7rem"
        heads={['Outcome', 'Event', 'Branch', 'What to do', 'Delivery', 'When']}
      >
        {events.map((it) => (
          <EventRow key={it.id} tenant={tenant} event={it} />
        ))}
      </List>
    )}
  </Section>
)

const HookDialogs = ({
  at,
  repository,
  hook,
  onUnsynced,
}: {
  at: RepositoryAt
  repository: Repository
  hook: Hook | null
  onUnsynced: (reason: string) => void
}) => {
  const { dialog, close } = useAddress()
  const { made, show, forget } = useCreatedSecret<MadeHook>()
  return (
    <>
      <Window open={dialog === 'create' && hook === null} onClose={close} title="Create a webhook">
        <CreateHook at={at} repository={repository} onClose={close} onMade={show} />
      </Window>
      {hook === null ? null : (
        <>
          <Window open={dialog === 'rotate'} onClose={close} title="Rotate the secret">
            <RotateHook at={at} hook={hook} onClose={close} onMade={show} onUnsynced={onUnsynced} />
          </Window>
          <DangerConfirmation
            open={dialog === 'unhook'}
            onClose={close}
            title="Delete the webhook?"
            action="Delete"
            onConfirm={async () => {
              await call(repositoryHooksApi.remove, { params: repositoryParams(at) })
              await refreshRepositories(at.tenant)
            }}
          >
            <p>
              {hook.providerHookId === null
                ? 'Delete it at the provider too. '
                : `It is deleted at ${providerNames[hook.provider]} too. `}
              Polling continues. This cannot be undone.
            </p>
          </DangerConfirmation>
        </>
      )}
      <ShownHook made={made} onClose={forget} />
    </>
  )
}

/** The webhook by which the provider reports pushes, and what arrived. */
export const HookView = ({ at }: { at: RepositoryAt }) => {
  const repository = useQuery(repositoryQuery(at))
  const hook = useQuery(hookQuery(at))
  const identity = useQuery(identityQuery)
  const [unsynced, setUnsynced] = useState<string | null>(null)
  const { open } = useAddress()
  const may = holds(identity.data, at.tenant, 'repositories:edit')
  return (
    <Read query={repository} what="the repository">
      {(repository) => (
        <Read query={hook} what="the webhook">
          {({ subscription, events }) => (
            <section aria-label="Webhook" className="grid grid-cols-[minmax(0,1fr)] gap-6">
              {unsynced === null ? null : (
                <Notice tone="warn" title={`${providerNames[repository.provider]} still has the previous secret`}>
                  <p>{unsynced}. Rotate again before the window ends, or enter a secret by hand.</p>
                </Notice>
              )}
              {subscription === null ? (
                <NoHook repository={repository} may={may} />
              ) : (
                <>
                  <div className="flex flex-wrap items-center gap-3">
                    {may ? (
                      <>
                        <Button onClick={() => open('rotate')}>Rotate the secret …</Button>
                        <Button look="danger" onClick={() => open('unhook')}>
                          Delete …
                        </Button>
                      </>
                    ) : null}
                    <CommandHint command={svcCommand(at.tenant, ['repository', 'webhook', 'show', repository.id])} />
                  </div>
                  <About of={subscription} />
                  <Events tenant={at.tenant} events={events} />
                </>
              )}
              {may ? (
                <HookDialogs at={at} repository={repository} hook={subscription} onUnsynced={setUnsynced} />
              ) : null}
            </section>
          )}
        </Read>
      )}
    </Read>
  )
}
