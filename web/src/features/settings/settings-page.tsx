import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { portalApi } from '../../../../src/api/portal.ts'
import type { Permission } from '../../../../src/api/permissions.ts'
import { tenantsApi } from '../../../../src/api/tenants.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { Window } from '../../parts/dialog.tsx'
import { Field, Form, SelectField, useForm } from '../../parts/form.tsx'
import { Read } from '../../parts/listing.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Failure } from '../../parts/states.tsx'
import { Switch } from '../../parts/choices.tsx'
import { queryClient } from '../../query-client.ts'
import { SvcError } from '../../../../src/errors.ts'
import { count } from '../../parts/text.ts'
import { Editing } from './editing.tsx'
import { portalQuery } from './portal.ts'
import { PortalForm } from './portal-form.tsx'
import { holds, identityQuery, refreshIdentity } from '../../session.ts'
import { allMembersQuery, refreshMembers } from '../members/queries.ts'

const NameForm = ({ tenant, name }: { tenant: string; name: string }) => {
  const form = useForm({ name }, async (body) => {
    await call(tenantsApi.update, { params: { tenant_slug: tenant }, body })
    await refreshIdentity()
  })
  return (
    <Form change={form} submit="Rename" look="plain" disabled={form.values.name === name}>
      <Field
        label="Name of the organization"
        required
        hint={`The slug "${tenant}" cannot be changed.`}
        {...form.bind('name')}
      />
    </Form>
  )
}

/** The portal that shows everybody what is published for them. */
const Portal = ({ tenant, mayChange }: { tenant: string; mayChange: boolean }) => {
  const setting = useQuery(portalQuery(tenant))
  const change = useMutation({
    mutationFn: (enabled: boolean) => call(portalApi.change, { params: { tenant_slug: tenant }, body: { enabled } }),
    onSuccess: (changed) => queryClient.setQueryData(portalQuery(tenant).queryKey, changed),
  })
  return (
    <Section title="Public portal" anchor="portal">
      <Read query={setting} what="the portal">
        {(portal) => (
          <div className="card grid max-w-xl gap-3 p-4">
            <p className="text-soft">
              Lists the projects with a public version, with search, feeds and badges. Private versions and drafts never
              appear in it.
            </p>
            <a className="link wrap-anywhere" href={portal.url}>
              {portal.url}
            </a>
            <div className="-ml-2">
              <Switch
                label={portal.enabled ? 'Portal is online' : 'Portal is offline'}
                of="Public portal"
                on={portal.enabled}
                disabled={!mayChange || change.isPending}
                onChange={(on) => change.mutate(on)}
              />
            </div>
            {change.error ? <Failure error={change.error} /> : null}
            {mayChange ? <PortalForm tenant={tenant} setting={portal} /> : null}
          </div>
        )}
      </Read>
    </Section>
  )
}

const secondFactorQuery = (tenant: string) =>
  queryOptions({
    queryKey: ['second-factor-policy', tenant],
    queryFn: () => call(tenantsApi.secondFactor, { params: { tenant_slug: tenant } }),
  })

/** Whether members need more than their password. */
const SecondFactor = ({ tenant }: { tenant: string }) => {
  const policy = useQuery(secondFactorQuery(tenant))
  const change = useMutation({
    mutationFn: (required: boolean) =>
      call(tenantsApi.setSecondFactor, { params: { tenant_slug: tenant }, body: { required } }),
    onSuccess: (changed) => queryClient.setQueryData(secondFactorQuery(tenant).queryKey, changed),
  })
  return (
    <Section title="Second factor" anchor="second-factor">
      <Read query={policy} what="the setting">
        {({ required, members_without: without }) => (
          <div className="card grid max-w-xl gap-2 p-4">
            <p className="text-soft">
              Members with a password must have a second factor. Until they add one, they can do nothing else here.
              People who sign in at an identity provider only, and keys, are not affected.
            </p>
            <p>
              {without === 0
                ? 'All members with a password have one.'
                : `${count(without, 'member has', 'members have')} none${required ? ' and cannot get in' : ''}.`}
            </p>
            <div className="-ml-2 flex flex-wrap items-center gap-x-2">
              <span className="ml-2 font-medium" aria-hidden="true">
                Require a second factor
              </span>
              <Switch
                label={required ? 'On' : 'Off'}
                of="Require a second factor"
                on={required}
                disabled={change.isPending}
                onChange={(on) => change.mutate(on)}
              />
            </div>
            {change.error ? <Failure error={change.error} /> : null}
            {change.error instanceof SvcError && change.error.code === 'second-factor-own-missing' ? (
              <Link to="/account" hash="second-factor" className="link w-fit">
                Add a second factor to your account
              </Link>
            ) : null}
          </div>
        )}
      </Read>
    </Section>
  )
}

const TransferForm = ({ tenant, own, onClose }: { tenant: string; own: string; onClose: () => void }) => {
  const members = useQuery(allMembersQuery(tenant))
  const others = (members.data?.items ?? []).filter((it) => it.user_id !== own && it.status === 'active')
  const form = useForm({ to: '' }, async ({ to }) => {
    const body = { user_id: to }
    await call(tenantsApi.transfer, { params: { tenant_slug: tenant }, body })
    await Promise.all([refreshIdentity(), refreshMembers(tenant)])
    onClose()
  })
  return (
    <Read query={members} what="the members">
      {() => (
        <Form
          change={form}
          submit="Transfer ownership"
          look="danger"
          disabled={form.values.to === ''}
          onCancel={onClose}
        >
          <p className="text-soft">You become Admin immediately. Only the new Owner can reverse this.</p>
          {others.length === 0 ? (
            <p>This organization has no other active members.</p>
          ) : (
            <SelectField
              label="New Owner"
              value={form.values.to}
              options={[
                { value: '', name: 'Choose a member' },
                ...others.map((it) => ({ value: it.user_id, name: `${it.name}, ${it.email}` })),
              ]}
              onChange={(to) => form.set({ to })}
            />
          )}
        </Form>
      )}
    </Read>
  )
}

const DeleteForm = ({ tenant, onClose }: { tenant: string; onClose: () => void }) => {
  const navigate = useNavigate()
  const form = useForm({ word: '' }, async () => {
    await call(tenantsApi.remove, { params: { tenant_slug: tenant } })
    await refreshIdentity()
    await navigate({ to: '/', replace: true })
  })
  return (
    <Form
      change={form}
      submit="Delete the organization"
      look="danger"
      disabled={form.values.word !== tenant}
      onCancel={onClose}
    >
      <p className="text-soft">
        All projects, versions, members and keys are deleted for everyone, with everything in the bin. This cannot be
        undone.
      </p>
      <Field label={`Type "${tenant}" to confirm`} autoComplete="off" spellCheck={false} {...form.bind('word')} />
    </Form>
  )
}

const Ending = ({ title, text, action, onAsk }: { title: string; text: string; action: string; onAsk: () => void }) => (
  <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
    <div className="grid gap-0.5">
      <h3 className="font-semibold">{title}</h3>
      <p className="text-sm text-soft">{text}</p>
    </div>
    <Button look="danger" onClick={onAsk}>
      {action}
    </Button>
  </div>
)

const elsewhere = [
  {
    to: '/t/$tenant/-/members',
    name: 'Members and roles',
    text: 'Invite people, change what they can do, reset a password.',
    permission: 'projects:view',
  },
  {
    to: '/t/$tenant/-/style-guides',
    name: 'Default style guide and publishing policy',
    text: 'Which rules lint every project, and what publishing asks for.',
    permission: 'style_guides:view',
  },
  {
    to: '/t/$tenant/-/repositories/polling',
    name: 'Polling of repositories',
    text: 'How often repositories are read, and the limit for each hour.',
    permission: 'projects:view',
  },
  {
    to: '/t/$tenant/-/mcp-servers/registry',
    name: 'Registry of MCP servers',
    text: 'The approved servers, for agent hosts to read.',
    permission: 'projects:view',
  },
  {
    to: '/t/$tenant/-/notifications/settings',
    name: 'Where news go',
    text: 'What reaches you in the bell, by e-mail and in chats; watched and muted projects.',
    permission: 'projects:view',
  },
] as const satisfies readonly { readonly permission: Permission; readonly [word: string]: string }[]

const MoreSettings = ({ tenant, may }: { tenant: string; may: (permission: Permission) => boolean }) => (
  <Section title="More settings" description="Settings that have their own pages.">
    <ul className="card divide-y">
      {elsewhere.map(({ to, name, text, permission }) =>
        may(permission) ? (
          <li key={name} className="relative grid gap-0.5 px-4 py-2.5 hover:bg-raised">
            <Link to={to} params={{ tenant }} className="w-fit font-medium after:absolute after:inset-0">
              {name}
            </Link>
            <span className="text-sm text-soft">{text}</span>
          </li>
        ) : null,
      )}
    </ul>
  </Section>
)

/** The name of the organization, its transfer and its deletion, as far as the role allows. */
export const SettingsPage = ({ tenant }: { tenant: string }) => {
  const identity = useQuery(identityQuery)
  const { dialog, open, close } = useAddress()
  const membership = identity.data?.memberships.find((it) => it.slug === tenant)
  const mayTransfer = holds(identity.data, tenant, 'tenant:transfer')
  const mayDelete = holds(identity.data, tenant, 'tenant:delete')
  const own = identity.data?.user?.id ?? ''
  return (
    <Page
      title="Settings"
      {...(membership ? { description: `You are ${membership.role} of ${membership.name}.` } : {})}
    >
      <Read query={identity} what="your role">
        {() =>
          membership && holds(identity.data, tenant, 'members:edit') ? (
            <Section title="Name" anchor="name">
              <div className="card max-w-xl p-4">
                <NameForm key={membership.name} tenant={tenant} name={membership.name} />
              </div>
            </Section>
          ) : (
            <p className="text-soft">Only an Owner or Admin can change the settings.</p>
          )
        }
      </Read>
      {membership ? <Portal tenant={tenant} mayChange={holds(identity.data, tenant, 'members:edit')} /> : null}
      {holds(identity.data, tenant, 'members:edit') ? <SecondFactor tenant={tenant} /> : null}
      {holds(identity.data, tenant, 'members:edit') ? <Editing tenant={tenant} /> : null}
      <MoreSettings tenant={tenant} may={(permission) => holds(identity.data, tenant, permission)} />
      {mayTransfer || mayDelete ? (
        <Section title="Danger zone">
          <div className="card divide-y border-danger">
            {mayTransfer ? (
              <Ending
                title="Transfer ownership"
                text="Another member becomes the Owner."
                action="Transfer …"
                onAsk={() => open('transfer')}
              />
            ) : null}
            {mayDelete ? (
              <Ending
                title="Delete the organization"
                text="Including all projects, versions, members and keys."
                action="Delete …"
                onAsk={() => open('delete')}
              />
            ) : null}
          </div>
        </Section>
      ) : null}
      <Window open={dialog === 'transfer' && mayTransfer} onClose={close} title="Transfer ownership">
        <TransferForm tenant={tenant} own={own} onClose={close} />
      </Window>
      <Window open={dialog === 'delete' && mayDelete} onClose={close} title={`Delete ${membership?.name ?? tenant}?`}>
        <DeleteForm tenant={tenant} onClose={close} />
      </Window>
    </Page>
  )
}
