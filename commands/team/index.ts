import { type TeamRecord, teamsApi } from '../../src/api/teams.ts'
import { group } from '../../cli/declare.ts'
import { derive } from '../../cli/derive.ts'
import { memberIdOf } from '../../cli/member/find.ts'
import { pageCounts, pageOptions } from '../../cli/paging.ts'
import { renderFacts, shortTime } from '../../cli/table.ts'

const renderTeam = (team: TeamRecord): string =>
  renderFacts([
    ['team', team.slug],
    ['name', team.name],
    ['id', team.id],
    ['members', String(team.members)],
    ['follows', team.directory_group === null ? null : `the group "${team.directory_group}" of the directory`],
    ['projects', String(team.projects)],
    ['created', shortTime(team.created_at)],
  ])

const teamArgument = { name: 'team', summary: 'slug or id of the team' } as const
const memberArgument = { name: 'member', summary: 'e-mail address or id', field: 'user_id', read: memberIdOf } as const

export default group({
  summary: 'Manage teams: members that have roles on projects together',
  commands: {
    list: derive(teamsApi.list, {
      examples: ['svc team list', 'svc team list --json'],
      options: pageOptions,
      data: 'items',
      counts: pageCounts,
      empty: 'No teams. Create one: svc team create NAME\n',
      columns: {
        TEAM: (it) => it.slug,
        NAME: (it) => it.name,
        MEMBERS: (it) => String(it.members),
        PROJECTS: (it) => String(it.projects),
        FOLLOWS: (it) => it.directory_group ?? '-',
      },
      more: true,
    }),
    create: derive(teamsApi.create, {
      summary: 'Create a team; its members are chosen by hand, or those of a group of the directory',
      examples: ['svc team create Payments', 'svc team create Payments --directory-group eng-payments'],
      arguments: [{ name: 'name', summary: 'display name' }],
      options: {
        slug: { placeholder: 'SLUG', summary: 'its slug (default: made from the name)' },
        'directory-group': { placeholder: 'GROUP', summary: 'the group of the directory (SCIM) whose members it has' },
      },
      text: renderTeam,
    }),
    update: derive(teamsApi.update, {
      summary: 'Rename a team, or let it follow another group of the directory',
      description: 'With "--directory-group none" its members are chosen by hand again, and it has none at first.',
      examples: [
        'svc team update payments --name "Payments and billing"',
        'svc team update payments --directory-group none',
      ],
      arguments: [teamArgument],
      options: {
        name: { placeholder: 'NAME', summary: 'its new name' },
        'directory-group': {
          placeholder: 'GROUP',
          summary: 'the group of the directory (SCIM) whose members it has; none: chosen by hand',
          read: (text: string) => (text === 'none' ? null : text),
        },
      },
      text: renderTeam,
    }),
    delete: derive(teamsApi.remove, {
      examples: ['svc team delete payments'],
      arguments: [teamArgument],
      text: (_, { args }) => `Deleted the team ${args.team}\n`,
    }),
    members: derive(teamsApi.members, {
      examples: ['svc team members payments'],
      arguments: [teamArgument],
      data: 'items',
      empty: 'Nobody is in the team.\n',
      columns: { 'E-MAIL': (it) => it.email, ROLE: (it) => it.role, NAME: (it) => it.name },
    }),
    add: derive(teamsApi.add, {
      examples: ['svc team add payments ada@example.com'],
      arguments: [teamArgument, memberArgument],
      text: (_, { args }) => `${args.member} is in the team ${args.team}\n`,
    }),
    remove: derive(teamsApi.drop, {
      examples: ['svc team remove payments ada@example.com'],
      arguments: [teamArgument, memberArgument],
      text: (_, { args }) => `${args.member} is not in the team ${args.team} any more\n`,
    }),
  },
})
