import { agentKeysApi } from '../../../src/api/agent-keys.ts'
import { group } from '../../../cli/declare.ts'
import { derive } from '../../../cli/derive.ts'
import { pageCounts, pageOptions } from '../../../cli/paging.ts'
import { renderFacts, shortTime } from '../../../cli/table.ts'

export default group({
  summary: 'Manage keys of agents: their tools, expiry and revocation',
  commands: {
    list: derive(agentKeysApi.list, {
      summary: 'List the agent keys of the organization, newest first',
      examples: ['svc key agent list', 'svc key agent list --json'],
      options: pageOptions,
      data: 'items',
      counts: pageCounts,
      empty: 'No agent keys. Make one: svc key agent create LABEL --toolset catalog-read\n',
      columns: {
        ID: (it) => it.id,
        PREFIX: (it) => it.prefix,
        STATUS: (it) => it.status,
        TOOLSET: (it) => it.toolset,
        EXPIRES: (it) => shortTime(it.expires_at),
        LABEL: (it) => it.label,
      },
      more: true,
    }),
    create: derive(agentKeysApi.create, {
      summary: 'Create an agent key; it is shown only once',
      description: 'Needs the permission to create keys: sign in with "svc auth login", or use the local workspace.',
      examples: [
        'svc key agent create "review bot" --toolset lint',
        'svc key agent create reader --toolset catalog-read --tool spec.list --tool spec.search --days 7',
      ],
      arguments: [{ name: 'label', summary: 'what the key is for' }],
      options: {
        toolset: { placeholder: 'NAME', summary: 'what the agent may do' },
        tool: {
          type: 'string',
          multiple: true,
          placeholder: 'NAME',
          summary: 'only this tool of the set (repeatable)',
          field: 'tools',
        },
        days: { summary: 'days until it expires', field: 'expires_in_days' },
      },
      text: (made) =>
        renderFacts([
          ['key', made.key ?? null],
          ['label', made.label],
          ['tools', made.tools.join(' ')],
          ['expires', shortTime(made.expires_at)],
          ['note', 'the key cannot be shown again'],
        ]),
    }),
    delete: derive(agentKeysApi.revoke, {
      summary: 'Revoke an agent key immediately; it stays in the list',
      examples: ['svc key agent delete 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
      arguments: [{ name: 'id', summary: 'id of the key, from the list' }],
      text: (_, { args }) => `Revoked ${args.id}\n`,
    }),
  },
})
