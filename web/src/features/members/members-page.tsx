import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { type InvitationRecord, type MemberRecord, membersApi } from '../../../../src/api/members.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { List, Row } from '../../parts/list.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Person } from '../../parts/marks.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx'
import { MainAction } from '../../parts/main-action.tsx'
import { Moment, Page, Section, Toolbar } from '../../parts/page.tsx'
import { SearchField } from '../../parts/fields.tsx'
import { Empty, Failure } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { InviteWindow, MemberDialogs } from './member-dialogs.tsx'
import { allMembersQuery, invitationsQuery, membersQuery, namesQuery, refreshMembers } from './queries.ts'

const ManageMenu = ({
  member,
  own,
  onAsk,
  onReinstate,
}: {
  member: MemberRecord
  own: boolean
  onAsk: (dialog: string) => void
  onReinstate: () => void
}) => (
  <Menu
    align="end"
    look="plain"
    label={
      <>
        Manage<span className="sr-only"> {member.name}</span>
      </>
    }
  >
    <MenuItem onClick={() => onAsk('role')}>Role …</MenuItem>
    {own ? null : (
      <>
        <MenuItem onClick={() => onAsk('reset')}>Reset password …</MenuItem>
        {member.status === 'suspended' ? (
          <MenuItem onClick={onReinstate}>Reinstate</MenuItem>
        ) : (
          <MenuItem onClick={() => onAsk('suspend')}>Suspend …</MenuItem>
        )}
        <MenuLine />
        <MenuItem onClick={() => onAsk('remove')}>Remove …</MenuItem>
      </>
    )}
  </Menu>
)

const MemberRow = ({
  tenant,
  member,
  own,
  onlyOwner,
  may,
  onAsk,
}: {
  tenant: string
  member: MemberRecord
  own: boolean
  /** The caller, who is the only active Owner and therefore cannot leave. */
  onlyOwner: boolean
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
  return (
    <>
      <Row>
        <span className="flex min-w-0 items-center gap-2 max-md:w-full">
          <Person name={member.name} />
          <h2 className="truncate font-semibold">
            {member.name}
            {own ? <span className="font-normal text-soft"> (you)</span> : null}
          </h2>
        </span>
        <span className="truncate text-soft" title={member.email}>
          {member.email}
        </span>
        <span>
          {member.status === 'active' ? null : (
            <Badge tone={member.status === 'suspended' ? 'danger' : 'info'}>{member.status}</Badge>
          )}
        </span>
        <span>
          {member.role}
          {member.managed ? <span className="text-soft"> by rules</span> : null}
        </span>
        <span className="text-soft">
          joined <Moment at={member.created_at} />
        </span>
        <span className="flex justify-end gap-2">
          {own && !onlyOwner ? (
            <Button look="danger" onClick={() => onAsk('leave')}>
              Leave …
            </Button>
          ) : null}
          {may ? <ManageMenu member={member} own={own} onAsk={onAsk} onReinstate={() => reinstate.mutate()} /> : null}
        </span>
      </Row>
      {onlyOwner ? (
        <li className="px-4 py-2 text-soft">
          You are the only Owner.{' '}
          <Link to="/t/$tenant/-/settings" params={{ tenant }} search={{ dialog: 'transfer' }} className="link">
            Transfer ownership
          </Link>{' '}
          to be able to leave.
        </li>
      ) : null}
      {reinstate.error ? (
        <li>
          <Failure error={reinstate.error} />
        </li>
      ) : null}
    </>
  )
}

const Invitations = ({ tenant }: { tenant: string }) => {
  const [offset, setOffset] = useState(0)
  const invitations = useQuery(invitationsQuery(tenant, offset))
  const names = useQuery(namesQuery(tenant))
  const inviterOf = ({ invited_by: by }: InvitationRecord): string | undefined =>
    names.data?.get((by ?? '').replace(/^user:/, ''))
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
          <List columns="minmax(0,1fr) minmax(0,1fr) 6rem 9rem 8rem">
            {items.map((invitation) => (
              <Row key={invitation.id}>
                <span className="truncate max-md:w-full" title={invitation.email}>
                  {invitation.email}
                </span>
                <span className="truncate text-soft">
                  invited <Moment at={invitation.created_at} />
                  {inviterOf(invitation) === undefined ? '' : ` by ${inviterOf(invitation)}`}
                </span>
                <span>{invitation.role}</span>
                <span className="text-soft">
                  until <Moment at={invitation.expires_at} />
                </span>
                <span className="flex justify-end">
                  <Button busy={withdraw.isPending} onClick={() => withdraw.mutate(invitation.id)}>
                    Withdraw<span className="sr-only"> the invitation of {invitation.email}</span>
                  </Button>
                </span>
              </Row>
            ))}
          </List>
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
  const all = useQuery(allMembersQuery(tenant))
  const me = identity.data?.user?.id
  const owners = (all.data?.items ?? []).filter((it) => it.role === 'owner' && it.status === 'active')
  const onlyOwner = owners.length === 1 && owners[0]?.user_id === me
  return (
    <Page
      title="Members"
      description="People in this organization. Roles decide what members can do. Changes apply immediately."
      main={may ? <MainAction onClick={() => open('invite')}>Invite …</MainAction> : null}
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
          <List
            label="Members"
            columns="minmax(0,1fr) minmax(0,1fr) 7rem 6rem 9rem 12rem"
            heads={['Person', 'E-mail address', 'State', 'Role', 'Since']}
          >
            {items.map((member) => (
              <MemberRow
                key={member.user_id}
                tenant={tenant}
                member={member}
                own={member.user_id === me}
                onlyOwner={onlyOwner && member.user_id === me}
                may={may}
                onAsk={(what) => open(what, member.user_id)}
              />
            ))}
          </List>
        )}
      </Listing>
      {may ? <Invitations tenant={tenant} /> : null}
      <MemberDialogs tenant={tenant} member={members.data?.items.find((it) => it.user_id === item)} />
      <InviteWindow tenant={tenant} open={dialog === 'invite' && may} onClose={close} />
    </Page>
  )
}
