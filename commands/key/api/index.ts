import { ApiKeyRecord } from '../../../src/api/application.ts'
import { keyScopes } from '../../../src/api/permissions.ts'
import { SvcError } from '../../../src/errors.ts'
import { command, group } from '../../../cli/declare.ts'
import { renderFacts, renderTable, shortTime } from '../../../cli/table.ts'
import { withIdentity } from '../../../cli/user/shared.ts'

export default group({
  summary: 'Manage API keys, on the machine that has the data',
  commands: {
    create: command({
      summary: 'Create an API key; it is shown only once',
      description:
        'Works on the local workspace or on SVC_DATABASE_URL, also while a server runs. The key belongs to the organization of --tenant (default: local). A pipeline that compares and lints needs "--scope diff:read --scope lint:read", one that only reads "--scope catalog:read", one that imports "--scope catalog:import", one that publishes "--scope catalog:publish"; without --scope it can do everything that keys can do; docs/authorization.md lists it.',
      examples: [
        'svc key api create pipeline --scope diff:read --scope lint:read',
        'svc --tenant acme key api create publisher --expires-in 90',
      ],
      arguments: [{ name: 'name', required: true, summary: 'what the key is for' }],
      options: {
        scope: {
          type: 'string',
          placeholder: 'SCOPE',
          multiple: true,
          choices: keyScopes,
          summary: 'what the key can be used for (default *: everything that keys can do)',
        },
        'expires-in': {
          type: 'integer',
          placeholder: 'DAYS',
          min: 1,
          max: 3650,
          summary: 'days until it expires (default: it never expires)',
        },
        description: { type: 'string', placeholder: 'TEXT', summary: 'a longer text about the key' },
      },
      dataSchema: ApiKeyRecord,
      run: (invocation) =>
        withIdentity(invocation, async (store) => {
          const { args, options, globals } = invocation
          const name = args.name.trim()
          if (name === '' || name.length > 100)
            throw new SvcError('usage', { reason: 'The name of a key must have 1 to 100 characters' })
          const { createKeyOnMachine } = await import('../../../server/keys/on-machine.ts')
          const made = await createKeyOnMachine(store, globals.tenant ?? 'local', {
            name,
            description: options.description ?? '',
            scopes: options.scope.length === 0 ? ['*'] : options.scope,
            expiresInDays: options['expires-in'] ?? null,
          })
          return {
            data: made,
            text: renderFacts([
              ['key', made.key ?? null],
              ['id', made.id],
              ['scopes', made.scopes.join(' ')],
              ['expires', made.expires_at ?? 'never'],
              ['note', 'the key cannot be shown again'],
            ]),
          }
        }),
    }),
    list: command({
      summary: 'List the API keys of an organization, newest first',
      description: 'Works on the local workspace or on SVC_DATABASE_URL. The text of a key is never shown again.',
      examples: ['svc key api list', 'svc --tenant acme key api list --json'],
      arguments: [],
      options: {},
      dataSchema: { type: 'array', items: ApiKeyRecord },
      run: (invocation) =>
        withIdentity(invocation, async (store) => {
          const { listKeysOnMachine } = await import('../../../server/keys/on-machine.ts')
          const keys = await listKeysOnMachine(store, invocation.globals.tenant ?? 'local')
          return {
            data: keys,
            text: () =>
              keys.length === 0
                ? 'No API keys. Create one: svc key api create NAME\n'
                : renderTable(
                    ['PREFIX', 'STATUS', 'SCOPES', 'EXPIRES', 'LAST USED', 'ID', 'NAME'],
                    keys.map((key) => [
                      key.prefix,
                      key.status,
                      key.scopes.join(' '),
                      key.expires_at === null ? 'never' : shortTime(key.expires_at),
                      key.last_used_at === null ? '-' : shortTime(key.last_used_at),
                      key.id,
                      key.name,
                    ]),
                  ),
          }
        }),
    }),
    delete: command({
      summary: 'Delete an API key; requests with it fail from then on',
      examples: [
        'svc key api delete svk_ciAKZ9wU',
        'svc --tenant acme key api delete 01a1fdb6-5607-74ce-8102-e0af632fd4cf',
      ],
      arguments: [{ name: 'key', required: true, summary: 'id or prefix of the key, from the list' }],
      options: {},
      run: (invocation) =>
        withIdentity(invocation, async (store) => {
          const { deleteKeyOnMachine } = await import('../../../server/keys/on-machine.ts')
          const { name, prefix } = await deleteKeyOnMachine(
            store,
            invocation.globals.tenant ?? 'local',
            invocation.args.key,
          )
          return { data: null, text: `Deleted ${name} (${prefix})\n` }
        }),
    }),
  },
})
