import { projectAccessApi } from '../../src/api/teams.ts'
import { SvcError } from '../../src/errors.ts'
import { command } from '../../cli/declare.ts'
import { findInPages } from '../../cli/paging.ts'

export default command({
  summary: 'Take the role on a project from a member or a team',
  examples: ['svc project revoke petstore --team payments', 'svc project revoke petstore --member ada@example.com'],
  arguments: [{ name: 'project', required: true, summary: 'id or slug' }],
  options: {
    team: { type: 'string', placeholder: 'TEAM', summary: 'slug or id of the team' },
    member: { type: 'string', placeholder: 'MEMBER', summary: 'e-mail address or id of the member' },
  },
  async run(invocation) {
    const { args, options, connection } = invocation
    const { team, member } = options
    const named = team ?? member
    if (named === undefined || (team !== undefined && member !== undefined))
      throw new SvcError('usage', { reason: 'Give either --team or --member' })
    const { call, tenant } = await connection()
    const params = { tenant_slug: await tenant(), project_ref: args.project }
    const found = await findInPages(
      (query) => call(projectAccessApi.list, { params, query }),
      (it) =>
        team === undefined
          ? it.email === named.toLowerCase() || it.user_id === named
          : it.team_slug === named || it.team_id === named,
    )
    if (found === undefined) throw new SvcError('project-access-not-found', { access: named, project: args.project })
    await call(projectAccessApi.revoke, { params: { ...params, access_id: found.id } })
    return { data: null, text: `${named} has no role on ${args.project} any more\n` }
  },
})
