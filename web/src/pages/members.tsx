import { queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type InvitationRecord, type MemberRecord, membersApi } from '../../../src/api/members.ts'
import { roles, type Role } from '../../../src/api/permissions.ts'
import { call } from '../call.ts'
import { Badge } from '../parts/badge.tsx'
import { Button } from '../parts/button.tsx'
import { CommandHint, CopyButton, shellWord } from '../parts/copy.tsx'
import { Confirmation, Window } from '../parts/dialog.tsx'
import { Field, fieldError, Form, useChange } from '../parts/form.tsx'
import { Moment, Page } from '../parts/page.tsx'
import { Pager } from '../parts/pager.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { Empty, Failure, Loading, NoMatch } from '../parts/states.tsx'
import { pageSize, queryClient } from '../queries.ts'
import { holds, identityQuery } from '../session.ts'

const membersQuery = (tenant: string, q: string, offset: number) =>
  queryOptions({
    queryKey: ['members', tenant, q, offset],
    queryFn: () =>
      call(membersApi.list, {
        params: { tenant_slug: tenant },
        query: { limit: pageSize, offset, ...(q === '' ? {} : { q }) },
      }),
    placeholderData: (before) => before,
  })

const invitationsQuery = (tenant: string) =>
  queryOptions({
    queryKey: ['members', tenant, 'invitations'],
    queryFn: () => call(membersApi.invitations, { params: { tenant_slug: tenant } }),
  })

const refresh = (tenant: string): Promise<void> => queryClient.invalidateQueries({ queryKey: ['members', tenant] })

const RoleChoice = ({ label, value, onChange }: { label: string; value: Role; onChange: (role: Role) => void }) => (
  <select
    aria-label={label}
    className="field w-auto py-1 text-sm"
    value={value}
    onChange={(event) => {
      const role = roles.find((it) => it === event.target.value)
      if (role) onChange(role)
    }}
  >
    {roles.map((role) => (
      <option key={role} value={role}>
        {role}
      </option>
    ))}
  </select>
)

const MemberRow = ({ tenant, member, may }: { tenant: string; member: MemberRecord; may: boolean }) => {
  const [removing, setRemoving] = useState(false)
  const params = { tenant_slug: tenant, user_id: member.user_id }
  const change = useChange(async (body: { role?: Role; status?: 'active' | 'suspended' }) => {
    await call(membersApi.update, { params, body })
    await refresh(tenant)
  })
  const suspended = member.status === 'suspended'
  return (
    <li className="grid gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-0 grow">
          <h2 className="font-medium">{member.name}</h2>
          <p className="text-sm break-all text-soft">{member.email}</p>
        </div>
        {member.status === 'active' ? null : <Badge tone={suspended ? 'danger' : 'info'}>{member.status}</Badge>}
        {may ? (
          <>
            <RoleChoice
              label={`Role of ${member.name}`}
              value={member.role}
              onChange={(role) => void change.run({ role })}
            />
            <Button busy={change.busy} onClick={() => void change.run({ status: suspended ? 'active' : 'suspended' })}>
              {suspended ? 'Reinstate' : 'Suspend'}
              <span className="sr-only"> {member.name}</span>
            </Button>
            <Button look="danger" onClick={() => setRemoving(true)}>
              Remove …<span className="sr-only"> {member.name}</span>
            </Button>
          </>
        ) : (
          <Badge>{member.role}</Badge>
        )}
      </div>
      {change.error ? <Failure error={change.error} /> : null}
      <Confirmation
        open={removing}
        onClose={() => setRemoving(false)}
        title={`Remove ${member.name}?`}
        action="Remove"
        onConfirm={async () => {
          await call(membersApi.remove, { params })
          await refresh(tenant)
        }}
      >
        <p>They can no longer see anything of this tenant. Keys they made keep working: those belong to the tenant.</p>
      </Confirmation>
    </li>
  )
}

const Invite = ({ tenant, open, onClose }: { tenant: string; open: boolean; onClose: () => void }) => {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('editor')
  const [made, setMade] = useState<InvitationRecord | null>(null)
  const change = useChange(async () => {
    setMade(await call(membersApi.invite, { params: { tenant_slug: tenant }, body: { email, role } }))
    await refresh(tenant)
  })
  const close = (): void => {
    setMade(null)
    setEmail('')
    change.reset()
    onClose()
  }
  const link = `${location.origin}/app/invitation#token=${made?.token ?? ''}`
  return (
    <Window open={open} onOpenChange={close} title="Invite somebody">
      {made ? (
        <>
          <p className="text-soft">
            The service sends no mail. Give {made.email} this link; it works once, until <Moment at={made.expires_at} />
            .
          </p>
          <div className="flex items-center gap-2 rounded-lg border border-accent bg-wash p-3">
            <code className="min-w-0 grow font-mono text-sm break-all">{link}</code>
            <CopyButton text={link} what="the link" />
          </div>
          <div className="flex justify-end">
            <Button look="primary" onClick={close}>
              Done
            </Button>
          </div>
        </>
      ) : (
        <Form
          onSubmit={() => void change.run()}
          error={change.error}
          actions={
            <>
              <Button type="submit" look="primary" busy={change.busy}>
                Make the link
              </Button>
              <Button onClick={close}>Cancel</Button>
            </>
          }
        >
          <Field
            label="E-mail address"
            type="email"
            required
            value={email}
            error={fieldError(change.error, 'email')}
            onChange={(event) => setEmail(event.target.value)}
          />
          <div className="grid justify-items-start gap-1">
            <span className="text-sm font-medium" aria-hidden="true">
              Role
            </span>
            <RoleChoice label="Role" value={role} onChange={setRole} />
          </div>
        </Form>
      )}
    </Window>
  )
}

const Invitations = ({ tenant }: { tenant: string }) => {
  const invitations = useQuery(invitationsQuery(tenant))
  const withdraw = useChange(async (id: string) => {
    await call(membersApi.withdraw, { params: { tenant_slug: tenant, invitation_id: id } })
    await refresh(tenant)
  })
  const items = invitations.data?.items ?? []
  if (items.length === 0) return null
  return (
    <section aria-label="Open invitations" className="grid gap-2">
      <h2 className="font-semibold">Open invitations</h2>
      {withdraw.error ? <Failure error={withdraw.error} /> : null}
      <ul className="card divide-y">
        {items.map((it) => (
          <li key={it.id} className="flex flex-wrap items-center gap-3 px-4 py-2.5">
            <span className="grow break-all">{it.email}</span>
            <Badge>{it.role}</Badge>
            <span className="text-sm text-soft">
              until <Moment at={it.expires_at} />
            </span>
            <Button busy={withdraw.busy} onClick={() => void withdraw.run(it.id)}>
              Withdraw<span className="sr-only"> the invitation of {it.email}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Who belongs to the tenant, and with which role. */
export const MembersPage = ({ tenant, q, offset }: { tenant: string; q: string; offset: number }) => {
  const navigate = useNavigate()
  const members = useQuery(membersQuery(tenant, q, offset))
  const identity = useQuery(identityQuery)
  const [inviting, setInviting] = useState(false)
  const may = holds(identity.data, tenant, 'members:edit')
  const list = members.data
  const search = (next: { q?: string; offset?: number }): void =>
    void navigate({ to: '/t/$tenant/-/members', params: { tenant }, search: next, replace: true })
  return (
    <Page
      title="Members"
      actions={
        may ? (
          <Button look="primary" onClick={() => setInviting(true)}>
            Invite …
          </Button>
        ) : null
      }
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <SearchField label="Search members" value={q} onChange={(text) => search(text === '' ? {} : { q: text })} />
        <CommandHint
          command={`svc --tenant ${shellWord(tenant)} member list${q === '' ? '' : ` --search ${shellWord(q)}`}`}
        />
      </div>
      {members.isError ? (
        <Failure error={members.error} onRetry={() => void members.refetch()} />
      ) : !list ? (
        <Loading what="the members" />
      ) : list.items.length > 0 ? (
        <>
          <ul className="card divide-y">
            {list.items.map((member) => (
              <MemberRow key={member.user_id} tenant={tenant} member={member} may={may} />
            ))}
          </ul>
          <Pager
            page={list}
            onMove={(next) => search({ ...(q === '' ? {} : { q }), ...(next === 0 ? {} : { offset: next }) })}
          />
        </>
      ) : q === '' ? (
        <Empty title="No members">
          <p>Nobody belongs to this tenant.</p>
        </Empty>
      ) : (
        <NoMatch what="member" onClear={() => search({})} />
      )}
      {may ? <Invitations tenant={tenant} /> : null}
      <Invite tenant={tenant} open={inviting} onClose={() => setInviting(false)} />
    </Page>
  )
}
