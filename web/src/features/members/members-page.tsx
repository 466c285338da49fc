import { useMutation, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { type MemberRecord, membersApi } from '../../../../src/api/members.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx'
import { Moment, Page, Section, Toolbar } from '../../parts/page.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { Empty, Failure } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { InviteWindow, MemberDialogs } from './member-dialogs.tsx'
import { invitationsQuery, membersQuery, refreshMembers } from './queries.ts'

const MemberRow = ({
  tenant,
  member,
  own,
  may,
  onAsk,
}: {
  tenant: string
  member: MemberRecord
  own: boolean
  may: boolean
  onAsk: (dialog: string) => void
}) => {
  const reinstate = useMutation({
    scope: { id: useId() },
    mutationFn: async () => {
      const params = { tenant_slug: tenant, user_id: member.user_id }
      await call(membersApi.update, { params, body: { status: 'active' } })
      await refreshMembers(tenant)
    },
  })
  const named = <span className="sr-only"> {member.name}</span>
  return (
    <li className="grid gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-0 grow">
          <h2 className="font-semibold break-words">
            {member.name}
            {own ? <span className="font-normal text-soft"> (you)</span> : null}
          </h2>
          <p className="text-sm break-all text-soft">{member.email}</p>
        </div>
        <Badge tone={member.role === 'owner' ? 'accent' : 'plain'}>{member.role}</Badge>
        {member.status === 'active' ? null : (
          <Badge tone={member.status === 'suspended' ? 'danger' : 'info'}>{member.status}</Badge>
        )}
        {own ? (
          <Button look="danger" onClick={() => onAsk('leave')}>
            Leave …
          </Button>
        ) : null}
        {may ? (
          <Menu align="end" look="plain" label={<>Manage{named}</>}>
            <MenuItem onClick={() => onAsk('role')}>Role …</MenuItem>
            {own ? null : (
              <>
                <MenuItem onClick={() => onAsk('reset')}>Reset password …</MenuItem>
                {member.status === 'suspended' ? (
                  <MenuItem onClick={() => reinstate.mutate()}>Reinstate</MenuItem>
                ) : (
                  <MenuItem onClick={() => onAsk('suspend')}>Suspend …</MenuItem>
                )}
                <MenuLine />
                <MenuItem onClick={() => onAsk('remove')}>Remove …</MenuItem>
              </>
            )}
          </Menu>
        ) : null}
      </div>
      {reinstate.error ? <Failure error={reinstate.error} /> : null}
    </li>
  )
}

const Invitations = ({ tenant }: { tenant: string }) => {
  const [offset, setOffset] = useState(0)
  const invitations = useQuery(invitationsQuery(tenant, offset))
  const withdraw = useMutation({
    scope: { id: useId() },
    mutationFn: async (id: string) => {
      await call(membersApi.withdraw, { params: { tenant_slug: tenant, invitation_id: id } })
      await refreshMembers(tenant)
    },
  })
  return (
    <Section title="Open invitations" actions={<CommandHint command={svcCommand(tenant, ['member', 'invitations'])} />}>
      {withdraw.error ? <Failure error={withdraw.error} /> : null}
      <Listing
        query={invitations}
        what="the invitations"
        one="invitation"
        onMove={setOffset}
        empty={<p className="text-soft">No open invitations.</p>}
      >
        {(items) => (
          <ul className="card divide-y">
            {items.map((it) => (
              <li key={it.id} className="flex flex-wrap items-center gap-3 px-4 py-2.5">
                <span className="grow break-all">{it.email}</span>
                <Badge>{it.role}</Badge>
                <span className="text-sm text-soft">
                  until <Moment at={it.expires_at} />
                </span>
                <Button busy={withdraw.isPending} onClick={() => withdraw.mutate(it.id)}>
                  Withdraw<span className="sr-only"> the invitation of {it.email}</span>
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Listing>
    </Section>
  )
}

/** Who belongs to the organization, and with which role. */
export const MembersPage = ({ tenant, q, offset }: { tenant: string; q: string; offset: number }) => {
  const members = useQuery(membersQuery(tenant, q, offset))
  const identity = useQuery(identityQuery)
  const { dialog, item, open, close, filter, move } = useAddress()
  const may = holds(identity.data, tenant, 'members:edit')
  return (
    <Page
      title="Members"
      description="People in this organization. Roles decide what members can do. Changes apply immediately."
      actions={
        may ? (
          <Button look="primary" onClick={() => open('invite')}>
            Invite …
          </Button>
        ) : null
      }
    >
      <Toolbar>
        <SearchField label="Search members" value={q} onChange={(text) => filter({ q: text })} />
        <CommandHint command={svcCommand(tenant, ['member', 'list'], { search: q })} />
      </Toolbar>
      <Listing
        query={members}
        what="the members"
        one="member"
        filtered={q !== ''}
        onClear={() => filter({ q: '' })}
        onMove={move}
        empty={
          <Empty title="No members">
            <p>This organization has no members.</p>
          </Empty>
        }
      >
        {(items) => (
          <ul className="card divide-y">
            {items.map((member) => (
              <MemberRow
                key={member.user_id}
                tenant={tenant}
                member={member}
                own={member.user_id === identity.data?.user?.id}
                may={may}
                onAsk={(what) => open(what, member.user_id)}
              />
            ))}
          </ul>
        )}
      </Listing>
      {may ? <Invitations tenant={tenant} /> : null}
      <MemberDialogs tenant={tenant} member={members.data?.items.find((it) => it.user_id === item)} />
      <InviteWindow tenant={tenant} open={dialog === 'invite' && may} onClose={close} />
    </Page>
  )
}
