import { command } from '../../cli/declare.ts'
import { withIdentity } from '../../cli/user/shared.ts'

export default command({
  summary: 'Delete an API key; requests with it fail from then on',
  examples: [
    'svc api-key delete svk_ciAKZ9wU',
    'svc --tenant acme api-key delete 01a1fdb6-5607-74ce-8102-e0af632fd4cf',
  ],
  arguments: [{ name: 'key', required: true, summary: 'id or prefix of the key, from the list' }],
  options: {},
  run: (invocation) =>
    withIdentity(invocation, async (store) => {
      const { deleteKeyOnMachine } = await import('../../server/keys/on-machine.ts')
      const { name, prefix } = await deleteKeyOnMachine(
        store,
        invocation.globals.tenant ?? 'local',
        invocation.args.key,
      )
      return { data: null, text: `Deleted ${name} (${prefix})\n` }
    }),
})
