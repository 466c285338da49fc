import { ApiKeyRecord } from '../../src/api/application.ts'
import { command } from '../../cli/declare.ts'
import { renderTable, shortTime } from '../../cli/table.ts'
import { withIdentity } from '../../cli/user/shared.ts'

export default command({
  summary: 'List the API keys of an organization, newest first',
  description: 'Works on the local workspace or on SVC_DATABASE_URL. The text of a key is never shown again.',
  examples: ['svc api-key list', 'svc --tenant acme api-key list --json'],
  arguments: [],
  options: {},
  dataSchema: { type: 'array', items: ApiKeyRecord },
  run: (invocation) =>
    withIdentity(invocation, async (store) => {
      const { listKeysOnMachine } = await import('../../server/keys/on-machine.ts')
      const keys = await listKeysOnMachine(store, invocation.globals.tenant ?? 'local')
      return {
        data: keys,
        text: () =>
          keys.length === 0
            ? 'No API keys. Create one: svc api-key create NAME\n'
            : renderTable(
                ['PREFIX', 'STATUS', 'SCOPES', 'EXPIRES', 'LAST USED', 'ID', 'NAME'],
                keys.map((it) => [
                  it.prefix,
                  it.status,
                  it.scopes.join(' '),
                  it.expires_at === null ? 'never' : shortTime(it.expires_at),
                  it.last_used_at === null ? '-' : shortTime(it.last_used_at),
                  it.id,
                  it.name,
                ]),
              ),
      }
    }),
})
