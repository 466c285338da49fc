import { useMutation, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { type TeamRecord, teamsApi } from '../../../../src/api/teams.ts'
import { plural } from '../../../../src/kernel/plural.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { DangerConfirmation, Window } from '../../parts/dialog.tsx'
import { Field, Form, SelectField, useForm } from '../../parts/form.tsx'
import { List, Row } from '../../parts/list.tsx'
import { Listing, Read } from '../../parts/listing.tsx'
import { Person } from '../../parts/marks.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx'
import { Page, Toolbar } from '../../parts/page.tsx'
import { Empty, Failure } from '../../parts/states.tsx'
import { holds, identityQuery } from '../../session.ts'
import { allMembersQuery } from '../members/queries.ts'
import { refreshTeams, teamMembersQuery, teamsQuery } from './queries.ts'

const directoryHint =
  'The name of a group that your identity provider sends (SCIM). Its members are then those of the team; empty: you choose them.'

const TeamForm = ({ tenant, team, onClose }: { tenant: string; team: TeamRecord | null; onClose: () => void }) => {
  const initial = { name: team?.name ?? '', group: team?.directory_group ?? '' }
  const form = useForm(initial, async ({ name, group }) => {
    const body = { name, directory_group: group === '' ? null : group }
    const params = { tenant_slug: tenant }
    if (team === null) await call(teamsApi.create, { params, body })
    else await call(teamsApi.update, { params: { ...params, team_ref: team.id }, body })
    await refreshTeams(tenant)
    onClose()
  })
  return (
    <Form change={form} submit={team === null ? 'Create team' : 'Save'} onCancel={onClose}>
      <Field label="Name" required maxLength={100} {...form.bind('name')} />
      <Field
        label="Group of the directory"
        hint={directoryHint}
        maxLength={500}
        {...form.bind('group', 'directory_group')}
      />
    </Form>
  )
}

/** Puts a member in a team. */
const AddForm = ({ tenant, team, present }: { tenant: string; team: TeamRecord; present: ReadonlySet<string> }) => {
  const all = useQuery(allMembersQuery(tenant))
  const others = (all.data?.items ?? []).filter((it) => !present.has(it.user_id))
  const form = useForm({ user: '' }, async ({ user }) => {
    await call(teamsApi.add, { params: { tenant_slug: tenant, team_ref: team.id, user_id: user } })
    form.set({ user: '' })
    await refreshTeams(tenant)
  })
  const options = [
    { value: '', name: 'Choose a member' },
    ...others.map((it) => ({ value: it.user_id, name: it.name })),
  ]
  return (
    <Form change={form} submit="Add" disabled={form.values.user === ''}>
      <SelectField label="Member" value={form.values.user} options={options} onChange={(user) => form.set({ user })} />
    </Form>
  )
}

const MembersOfTeam = ({ tenant, team, may }: { tenant: string; team: TeamRecord; may: boolean }) => {
  const members = useQuery(teamMembersQuery(tenant, team.id))
  const drop = useMutation({
    scope: { id: useId() },
    mutationFn: async (user: string) => {
      await call(teamsApi.drop, { params: { tenant_slug: tenant, team_ref: team.id, user_id: user } })
      await refreshTeams(tenant)
    },
  })
  const byHand = team.directory_group === null
  return (
    <Read query={members} what="the members">
      {({ items }) => (
        <div className="grid gap-4">
          {byHand ? null : (
            <p className="text-soft">
              The team has the members of the group “{team.directory_group}” of the directory. Change them at the
              identity provider.
            </p>
          )}
          {items.length === 0 ? <p className="text-soft">Nobody is in the team.</p> : null}
          <List label="Members of the team" columns="minmax(0,1fr) 6rem">
            {items.map((member) => (
              <Row key={member.user_id}>
                <span className="flex min-w-0 items-center gap-2">
                  <Person name={member.name} />
                  <span className="truncate" title={member.email}>
                    {member.name}
                  </span>
                </span>
                <span className="flex justify-end">
                  {may && byHand ? (
                    <Button busy={drop.isPending} onClick={() => drop.mutate(member.user_id)}>
                      Remove<span className="sr-only"> {member.name}</span>
                    </Button>
                  ) : null}
                </span>
              </Row>
            ))}
          </List>
          {drop.error ? <Failure error={drop.error} /> : null}
          {may && byHand ? (
            <AddForm tenant={tenant} team={team} present={new Set(items.map((it) => it.user_id))} />
          ) : null}
        </div>
      )}
    </Read>
  )
}

const TeamRow = ({ team, may, onAsk }: { team: TeamRecord; may: boolean; onAsk: (dialog: string) => void }) => (
  <Row>
    <h2 className="truncate font-semibold max-md:w-full" title={team.name}>
      {team.name}
    </h2>
    <span className="truncate text-soft">
      {team.directory_group === null ? 'chosen by hand' : `group ${team.directory_group}`}
    </span>
    <Button look="plain" onClick={() => onAsk('members')}>
      {plural(team.members, 'member')}
      <span className="sr-only"> of {team.name}</span>
    </Button>
    <span className="text-soft">{plural(team.projects, 'project')}</span>
    <span className="flex justify-end">
      {may ? (
        <Menu
          align="end"
          look="plain"
          label={
            <>
              Manage<span className="sr-only"> {team.name}</span>
            </>
          }
        >
          <MenuItem onClick={() => onAsk('members')}>Members …</MenuItem>
          <MenuItem onClick={() => onAsk('edit')}>Name and group …</MenuItem>
          <MenuLine />
          <MenuItem onClick={() => onAsk('delete')}>Delete …</MenuItem>
        </Menu>
      ) : null}
    </span>
  </Row>
)

const TeamDialogs = ({ tenant, team, may }: { tenant: string; team: TeamRecord | undefined; may: boolean }) => {
  const { dialog, close } = useAddress()
  if (team === undefined) return null
  return (
    <>
      <Window open={dialog === 'members'} onClose={close} title={`Members of ${team.name}`}>
        <MembersOfTeam tenant={tenant} team={team} may={may} />
      </Window>
      <Window open={dialog === 'edit' && may} onClose={close} title={`Change ${team.name}`}>
        <TeamForm tenant={tenant} team={team} onClose={close} />
      </Window>
      <DangerConfirmation
        open={dialog === 'delete' && may}
        onClose={close}
        title={`Delete ${team.name}?`}
        action="Delete"
        onConfirm={async () => {
          await call(teamsApi.remove, { params: { tenant_slug: tenant, team_ref: team.id } })
          await refreshTeams(tenant)
        }}
      >
        <p>Its members stay in the organization and lose the roles that they have on projects through the team.</p>
      </DangerConfirmation>
    </>
  )
}

/** The teams of an organization. */
export const TeamsPage = ({ tenant, offset }: { tenant: string; offset: number }) => {
  const teams = useQuery(teamsQuery(tenant, offset))
  const identity = useQuery(identityQuery)
  const { dialog, item, open, close, move } = useAddress()
  const may = holds(identity.data, tenant, 'members:edit')
  return (
    <Page
      title="Teams"
      description="Members who have roles on projects together. Give a team a role on the page Access of a project."
      actions={
        may ? (
          <Button look="primary" onClick={() => open('new')}>
            New team …
          </Button>
        ) : null
      }
    >
      <Toolbar>
        <CommandHint command={svcCommand(tenant, ['team', 'list'])} />
      </Toolbar>
      <Listing
        query={teams}
        what="the teams"
        one="team"
        onMove={move}
        empty={
          <Empty title="No teams">
            <p>A team is a list of members. A role on a project that a team has, all of its members have.</p>
          </Empty>
        }
      >
        {(items) => (
          <List
            label="Teams"
            columns="minmax(0,1fr) minmax(0,1fr) 8rem 8rem 8rem"
            heads={['Team', 'Members are', 'Members', 'Projects']}
          >
            {items.map((team) => (
              <TeamRow key={team.id} team={team} may={may} onAsk={(what) => open(what, team.id)} />
            ))}
          </List>
        )}
      </Listing>
      <TeamDialogs tenant={tenant} team={teams.data?.items.find((it) => it.id === item)} may={may} />
      <Window open={dialog === 'new' && may} onClose={close} title="Create a team">
        <TeamForm tenant={tenant} team={null} onClose={close} />
      </Window>
    </Page>
  )
}
