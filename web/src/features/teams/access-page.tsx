import { useMutation, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { type ProjectRole, projectRoles } from '../../../../src/api/permissions.ts'
import { projectAccessApi } from '../../../../src/api/teams.ts'
import { call } from '../../call.ts'
import { useAddress } from '../../parts/address.ts'
import { Button } from '../../parts/button.tsx'
import { CommandHint } from '../../parts/commands.tsx'
import { svcCommand } from '../../parts/copy.tsx'
import { Window } from '../../parts/dialog.tsx'
import { Form, type Option, RadioField, SelectField, useForm } from '../../parts/form.tsx'
import { List, Row } from '../../parts/list.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Moment, Toolbar } from '../../parts/page.tsx'
import { Empty, Failure } from '../../parts/states.tsx'
import { capitalized } from '../../parts/text.ts'
import { holds, identityQuery, refreshIdentity } from '../../session.ts'
import { allMembersQuery } from '../members/queries.ts'
import { ProjectFrame } from '../projects/project-frame.tsx'
import { accessQuery, allTeamsQuery, refreshAccess } from './queries.ts'

const meanings: Record<ProjectRole, string> = {
  owner: 'Edits and publishes, also by force, and gives roles on this project.',
  editor: 'Edits and publishes.',
  viewer: 'Reads and comments.',
}
const roleOptions: readonly Option<ProjectRole>[] = projectRoles.map((value) => ({
  value,
  name: capitalized(value),
  detail: meanings[value],
}))

const GiveForm = ({ tenant, project, onClose }: { tenant: string; project: string; onClose: () => void }) => {
  const members = useQuery(allMembersQuery(tenant))
  const teams = useQuery(allTeamsQuery(tenant))
  const form = useForm<{ who: string; role: ProjectRole }>({ who: '', role: 'editor' }, async ({ who, role }) => {
    const [kind, id = ''] = who.split(':')
    const params = { tenant_slug: tenant, project_ref: project }
    await call(projectAccessApi.grant, {
      params,
      body: { role, ...(kind === 'team' ? { team: id } : { user_id: id }) },
    })
    await refreshAccess(tenant, project)
    await refreshIdentity()
    onClose()
  })
  const options = [
    { value: '', name: 'Choose a team or a member' },
    ...(teams.data?.items ?? []).map((it) => ({ value: `team:${it.id}`, name: `${it.name} (team)` })),
    ...(members.data?.items ?? []).map((it) => ({ value: `person:${it.user_id}`, name: it.name })),
  ]
  return (
    <Form change={form} submit="Give access" disabled={form.values.who === ''} onCancel={onClose}>
      <SelectField label="Who" value={form.values.who} options={options} onChange={(who) => form.set({ who })} />
      <RadioField
        legend="Role"
        value={form.values.role}
        options={roleOptions}
        onChange={(role) => form.set({ role })}
      />
    </Form>
  )
}

/** Who has a role on a project. */
export const AccessPage = ({ tenant, project, offset }: { tenant: string; project: string; offset: number }) => {
  const access = useQuery(accessQuery(tenant, project, offset))
  const identity = useQuery(identityQuery)
  const { dialog, open, close, move } = useAddress()
  const may = holds(identity.data, tenant, 'projects:share')
  const revoke = useMutation({
    scope: { id: useId() },
    mutationFn: async (id: string) => {
      const params = { tenant_slug: tenant, project_ref: project, access_id: id }
      await call(projectAccessApi.revoke, { params })
      await refreshAccess(tenant, project)
      await refreshIdentity()
    },
  })
  const give = may ? <Button onClick={() => open('give')}>Give access …</Button> : null
  return (
    <ProjectFrame tenant={tenant} project={project} tab="Access" own={give}>
      <Toolbar>
        <p className="text-soft">
          Roles on this project, beside those in the organization, which hold on every project. They never take anything
          away.
        </p>
        <CommandHint command={svcCommand(tenant, ['project', 'access', project])} />
      </Toolbar>
      {revoke.error ? <Failure error={revoke.error} /> : null}
      <Listing
        query={access}
        what="the access"
        one="role"
        onMove={move}
        empty={
          <Empty title="No roles on this project">
            <p>What members may do here is what their role in the organization allows.</p>
          </Empty>
        }
      >
        {(items) => (
          <List
            label="Access"
            columns="minmax(0,1fr) minmax(0,1fr) 6rem 9rem 8rem"
            heads={['Who', 'Address', 'Role', 'Since']}
          >
            {items.map((row) => (
              <Row key={row.id}>
                <h2 className="truncate font-semibold max-md:w-full" title={row.name}>
                  {row.name}
                </h2>
                <span className="truncate text-soft">{row.kind === 'team' ? 'team' : row.email}</span>
                <span>{row.role}</span>
                <span className="text-soft">
                  <Moment at={row.created_at} />
                </span>
                <span className="flex justify-end">
                  {may ? (
                    <Button busy={revoke.isPending} onClick={() => revoke.mutate(row.id)}>
                      Revoke<span className="sr-only"> the role of {row.name}</span>
                    </Button>
                  ) : null}
                </span>
              </Row>
            ))}
          </List>
        )}
      </Listing>
      <Window open={dialog === 'give' && may} onClose={close} title="Give access to this project">
        <GiveForm tenant={tenant} project={project} onClose={close} />
      </Window>
    </ProjectFrame>
  )
}
