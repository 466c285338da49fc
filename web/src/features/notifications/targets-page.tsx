import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { NotificationTarget } from '../../../../src/api/notification-targets.ts'
import { notificationTypes } from '../../../../src/api/notifications.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { DangerConfirmation, Window } from '../../parts/dialog.tsx'
import { List, Row } from '../../parts/list.tsx'
import { Listing, Read } from '../../parts/listing.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx'
import { Moment, Page, Section } from '../../parts/page.tsx'
import { holds, identityQuery } from '../../session.ts'
import { watchAndTell, watchesQuery } from '../catalog/watches.ts'
import { subscriptionsQuery } from '../webhooks/queries.ts'
import { nameOf, stateOf } from '../webhooks/words.ts'
import { MailSection, TargetState } from './mail-section.tsx'
import { RulesTable } from './rules-table.tsx'
import { AddChat, EditChat, LimitRule } from './target-forms.tsx'
import { removeChat, saying, serviceNames, targetsQuery, tryTarget, typeNames, updateTarget } from './target-queries.ts'

const chatColumns = 'minmax(10rem,1fr) minmax(8rem,1fr) minmax(12rem,2fr) 3rem'

const ChatRow = ({ tenant, target, may }: { tenant: string; target: NotificationTarget; may: boolean }) => {
  const { open } = useAddress()
  const { id, name, service, host, owner, active } = target
  return (
    <Row>
      <h3 className="min-w-0 truncate font-semibold" title={name}>
        {name}
      </h3>
      <span className="min-w-0 truncate text-sm text-soft" title={host ?? undefined}>
        {service === null ? '' : serviceNames[service]}, {owner === 'me' ? 'yours' : 'of the organization'}
      </span>
      <TargetState target={target} />
      <span className="relative z-10 flex justify-end max-md:absolute max-md:top-1 max-md:right-2">
        {owner === 'me' || may ? (
          <Menu align="end" label={<span className="sr-only">Actions: {name}</span>}>
            <MenuItem onClick={() => void tryTarget(tenant, target)}>Send a test message</MenuItem>
            <MenuItem onClick={() => open('edit-chat', id)}>Change the name or address …</MenuItem>
            <MenuItem onClick={() => void saying(() => updateTarget(tenant, id, { active: !active }))}>
              {active ? 'Switch off' : 'Switch on'}
            </MenuItem>
            <MenuLine />
            <MenuItem onClick={() => open('remove-chat', id)}>Remove …</MenuItem>
          </Menu>
        ) : null}
      </span>
    </Row>
  )
}

const ChatSection = ({
  tenant,
  chats,
  may,
}: {
  tenant: string
  chats: readonly NotificationTarget[]
  may: boolean
}) => {
  const { open } = useAddress()
  return (
    <Section
      title="Chats"
      anchor="chats"
      description="Channels of Slack, Microsoft Teams, Discord or Mattermost: yours, and those of the organization."
      actions={<Button onClick={() => open('add-chat')}>Add a chat …</Button>}
    >
      {chats.length === 0 ? (
        <p className="card p-4 text-sm text-soft">No chats yet.</p>
      ) : (
        <List label="Chats" columns={chatColumns}>
          {chats.map((target) => (
            <ChatRow key={target.id} tenant={tenant} target={target} may={may} />
          ))}
        </List>
      )}
    </Section>
  )
}

const WatchSection = ({ tenant, offset }: { tenant: string; offset: number }) => {
  const watches = useQuery(watchesQuery(tenant, offset))
  const { move } = useAddress()
  return (
    <Section
      title="Watched and muted projects"
      anchor="projects"
      description="Watched: all news of the project reach you. Muted: only mentions and reviews that are asked of you. You choose it on the page of the project, or for several in the list."
    >
      <Listing
        query={watches}
        what="the projects"
        one="project"
        filtered={false}
        onClear={() => move(0)}
        onMove={move}
        empty={
          <p className="card p-4 text-sm text-soft">You watch and muted no project: what concerns you reaches you.</p>
        }
      >
        {(items) => (
          <List label="Watched and muted projects" columns="minmax(12rem,1fr) 8rem 8rem auto">
            {items.map(({ project, level, since }) => (
              <Row key={project.id}>
                <Link
                  to="/t/$tenant/$project"
                  params={{ tenant, project: project.slug }}
                  className="min-w-0 truncate font-semibold"
                >
                  {project.name}
                </Link>
                <Badge tone={level === 'muted' ? 'plain' : 'info'}>{level === 'muted' ? 'muted' : 'watched'}</Badge>
                <span className="text-sm text-soft">
                  <Moment at={since} />
                </span>
                <Button
                  look="quiet"
                  onClick={() => void watchAndTell(tenant, [project.slug], 'concerns_me', project.name)}
                >
                  {level === 'muted' ? 'Unmute' : 'Unwatch'}
                  <span className="sr-only"> {project.name}</span>
                </Button>
              </Row>
            ))}
          </List>
        )}
      </Listing>
    </Section>
  )
}

/** The webhooks of the organization, which have a page of their own. */
const WebhookSection = ({ tenant }: { tenant: string }) => {
  const subscriptions = useQuery(subscriptionsQuery(tenant))
  return (
    <Section
      title="Webhooks of the organization"
      anchor="webhooks"
      description="Signed events for programs, with types and projects of their own."
      actions={
        <Link to="/t/$tenant/-/webhooks" params={{ tenant }} className="link text-sm">
          All webhooks
        </Link>
      }
    >
      <Read query={subscriptions} what="the webhooks">
        {(all) =>
          all.length === 0 ? (
            <p className="card p-4 text-sm text-soft">No webhooks yet.</p>
          ) : (
            <List label="Webhooks" columns="minmax(12rem,1fr) minmax(8rem,auto)">
              {all.map((one) => {
                const state = stateOf(one)
                return (
                  <Row key={one.id}>
                    <Link
                      to="/t/$tenant/-/webhooks/$subscription"
                      params={{ tenant, subscription: one.id }}
                      className="min-w-0 truncate font-semibold"
                      title={one.url}
                    >
                      {nameOf(one)}
                    </Link>
                    <Badge tone={state.tone}>{state.name}</Badge>
                  </Row>
                )
              })}
            </List>
          )
        }
      </Read>
    </Section>
  )
}

const Dialogs = ({
  tenant,
  targets,
  may,
}: {
  tenant: string
  targets: readonly NotificationTarget[]
  may: boolean
}) => {
  const { dialog, item, close } = useAddress()
  const [id = '', word] = (item ?? '').split(' ')
  const target = targets.find((one) => one.id === id)
  const type = notificationTypes.find((one) => one === word)
  return (
    <>
      <Window open={dialog === 'add-chat'} onClose={close} title="Add a chat">
        <AddChat tenant={tenant} may={may} onClose={close} />
      </Window>
      {target === undefined ? null : (
        <>
          <Window open={dialog === 'edit-chat'} onClose={close} title={`Change ${target.name}`}>
            <EditChat tenant={tenant} target={target} onClose={close} />
          </Window>
          <DangerConfirmation
            open={dialog === 'remove-chat'}
            onClose={close}
            title={`Remove ${target.name}?`}
            action="Remove"
            onConfirm={() => removeChat(tenant, target.id)}
          >
            <p>No more news go there, and what waits is not sent. Its address is forgotten.</p>
          </DangerConfirmation>
          {type === undefined ? null : (
            <Window open={dialog === 'limit'} onClose={close} title={`${typeNames[type]} to ${target.name}`}>
              <LimitRule tenant={tenant} target={target} type={type} onClose={close} />
            </Window>
          )}
        </>
      )}
    </>
  )
}

/** Where news go: one table of types and targets, then e-mail, chats, projects and webhooks. */
export const TargetsPage = ({ tenant, offset }: { tenant: string; offset: number }) => {
  const targets = useQuery(targetsQuery(tenant))
  const identity = useQuery(identityQuery)
  const may = holds(identity.data, tenant, 'webhooks:edit')
  return (
    <Page
      trail={
        <Link to="/t/$tenant/-/notifications" params={{ tenant }} className="link">
          Notifications
        </Link>
      }
      title="Where news go"
      description="Tick what reaches you where. All projects, unless you limit it."
      actions={<CommandHint command={svcCommand(tenant, ['notification', 'target', 'list'])} />}
    >
      <Read query={targets} what="where your news go">
        {({ items, mail }) => {
          const shown = items.filter(({ kind }) => kind !== 'email' || mail.available)
          const email = items.find(({ kind }) => kind === 'email')
          return (
            <>
              <RulesTable tenant={tenant} targets={shown} may={may} />
              {email ? <MailSection tenant={tenant} target={email} available={mail.available} /> : null}
              <ChatSection tenant={tenant} chats={items.filter(({ kind }) => kind === 'chat')} may={may} />
              <Dialogs tenant={tenant} targets={items} may={may} />
            </>
          )
        }}
      </Read>
      <WatchSection tenant={tenant} offset={offset} />
      {holds(identity.data, tenant, 'webhooks:view') ? <WebhookSection tenant={tenant} /> : null}
    </Page>
  )
}
