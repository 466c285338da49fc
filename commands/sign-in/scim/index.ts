import { scimTokensApi } from '../../../src/api/scim.ts'
import { group } from '../../../cli/declare.ts'
import { derive } from '../../../cli/derive.ts'
import { pageCounts, pageOptions } from '../../../cli/paging.ts'
import { renderFacts, shortTime } from '../../../cli/table.ts'

export default group({
  summary: 'Manage the tokens with which an identity provider sends users and groups (SCIM)',
  commands: {
    list: derive(scimTokensApi.list, {
      summary: 'List the tokens of the directory, newest first',
      examples: ['svc sign-in scim list'],
      options: pageOptions,
      data: 'items',
      counts: pageCounts,
      empty: 'No tokens. Create one: svc sign-in scim create NAME\n',
      columns: {
        NAME: (it) => it.name,
        PREFIX: (it) => it.prefix,
        EXPIRES: (it) => shortTime(it.expires_at),
        'LAST USED': (it) => (it.last_used_at === null ? '-' : shortTime(it.last_used_at)),
        ID: (it) => it.id,
      },
      more: true,
    }),
    create: derive(scimTokensApi.create, {
      summary: 'Create a token of the directory; it is shown only once',
      description: 'For administrators. Store the address and the token in the provisioning of the identity provider.',
      examples: ['svc sign-in scim create entra', 'svc sign-in scim create okta --days 90'],
      arguments: [{ name: 'name', summary: 'what the token is for' }],
      options: { days: { placeholder: 'DAYS', summary: 'days until it expires' } },
      text: (made) =>
        renderFacts([
          ['name', made.name],
          ['address', made.url],
          ['token', made.token],
          ['expires', shortTime(made.expires_at)],
        ]),
    }),
    delete: derive(scimTokensApi.remove, {
      summary: 'Delete a token of the directory; requests with it fail from then on',
      examples: ['svc sign-in scim delete 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
      arguments: [{ name: 'id', field: 'token_id', summary: 'id of the token' }],
      text: (_, { args }) => `Deleted ${args.id}\n`,
    }),
  },
})
