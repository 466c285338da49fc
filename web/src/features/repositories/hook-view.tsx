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
import { Read } from '../../parts/listing.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Facts, Moment, Section } from '../../parts/page.tsx'
import { useMade } from '../../parts/secret.tsx'
import { Empty, needs } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { CreateHook, type MadeHook, RotateHook, ShownHook } from './hook-forms.tsx'
import { providerNames } from './providers.ts'
import { hookQuery, refreshRepositories, type RepositoryAt, repositoryParams, repositoryQuery } from './queries.ts'
import { eventOutcomes, type Hook, type HookEvent, hookNames, hookTones } from './words.ts'

const EventRow = ({ tenant, it }: { tenant: string; it: HookEvent }) => {
  const { name, tone, advice } = eventOutcomes[it.outcome]
  const isAddress = it.outcome === 'ip-blocked' || it.outcome === 'ip-warned'
  return (
    <li className="grid gap-0.5 px-4 py-2 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={tone}>{name}</Badge>
        <span className="font-mono text-xs">{it.event}</span>
        {it.ref === null ? null : <code className="min-w-0 font-mono text-xs break-all text-soft">{it.ref}</code>}
        <span className="ml-auto text-soft">
          <Moment at={it.at} />
        </span>
      </div>
      {advice === '' ? null : (
        <p className="text-soft">
          {advice}{' '}
          {isAddress ? (
            <Link to="/t/$tenant/-/repositories/sources" params={{ tenant }} className="link">
              Webhook sources
            </Link>
          ) : null}
        </p>
      )}
      {it.delivery_id === null ? null : (
        <p className="font-mono text-xs break-all text-soft">
          <span className="sr-only">Delivery </span>
          {it.delivery_id}
        </p>
      )}
    </li>
  )
}

const About = ({ of: it }: { of: Hook }) => (
  <div className="card p-4">
    <Facts
      facts={[
        [
          'State',
          <Badge key="state" tone={hookTones[it.state]}>
            {hookNames[it.state]}
          </Badge>,
        ],
        [
          'Address',
          <span key="url" className="inline-flex max-w-full items-start gap-1">
            <code className="min-w-0 font-mono text-xs break-all">{it.url}</code>
            <CopyButton text={it.url} what="the address" />
          </span>,
        ],
        ['Events', it.events.join(', ')],
        [
          'Secret',
          <span key="secret">
            fingerprint <code className="font-mono text-xs">{it.fingerprint}</code>
          </span>,
        ],
        [
          'Previous secret',
          it.previousFingerprint === null || it.graceUntil === null ? null : (
            <>
              fingerprint <code className="font-mono text-xs">{it.previousFingerprint}</code>, accepted until{' '}
              <Moment at={it.graceUntil} exact />
            </>
          ),
        ],
        ['Created by', it.providerHookId === null ? 'a person, at the provider' : 'the linked account'],
        ['Last delivery', it.lastDeliveryAt === null ? null : <Moment at={it.lastDeliveryAt} />],
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
      <ul className="card divide-y" aria-label="Deliveries">
        {events.map((it) => (
          <EventRow key={it.id} tenant={tenant} it={it} />
        ))}
      </ul>
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
  const { made, show, forget } = useMade<MadeHook>()
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
      {(it) => (
        <Read query={hook} what="the webhook">
          {({ subscription, events }) => (
            <section aria-label="Webhook" className="grid grid-cols-[minmax(0,1fr)] gap-6">
              {unsynced === null ? null : (
                <Notice tone="warn" title={`${providerNames[it.provider]} still has the previous secret`}>
                  <p>{unsynced}. Rotate again before the window ends, or enter a secret by hand.</p>
                </Notice>
              )}
              {subscription === null ? (
                <NoHook repository={it} may={may} />
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
                    <CommandHint command={svcCommand(at.tenant, ['repository', 'webhook', 'show', it.id])} />
                  </div>
                  <About of={subscription} />
                  <Events tenant={at.tenant} events={events} />
                </>
              )}
              {may ? <HookDialogs at={at} repository={it} hook={subscription} onUnsynced={setUnsynced} /> : null}
            </section>
          )}
        </Read>
      )}
    </Read>
  )
}
