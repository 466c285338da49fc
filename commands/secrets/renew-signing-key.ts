import { command } from '../../cli/declare.ts'
import { loadConfig } from '../../cli/configuration.ts'
import { locateDatabase } from '../../cli/backup/place.ts'
import { workspaceFolder } from '../../cli/connection/workspace.ts'
import { keySourceOf } from '../../server/vault/settings.ts'

export default command({
  summary: 'Replace the key that releases of gateways are signed with',
  description:
    'Run it where the key was disclosed, or cannot be read after a restore without secret.key. Gateways refuse the next release until they are ' +
    'given the new public key: start each agent again with --public-key. Until then they keep the release that they have.',
  examples: ['svc secrets renew-signing-key'],
  arguments: [],
  options: {},
  dataSchema: {
    type: 'object',
    required: ['publicKey'],
    properties: { publicKey: { type: 'string', description: 'The new public key: Ed25519, 32 bytes in base64.' } },
  },
  run: async (invocation) => {
    const { target } = locateDatabase(invocation)
    const { values } = loadConfig(invocation)
    const folder = workspaceFolder(values.workspace ?? undefined, invocation.env, invocation.cwd)
    const [{ KeyRing }, { Vault }, { openDatabase }, { clockOf }, { renewSigningKey }] = await Promise.all([
      import('../../server/vault/keys.ts'),
      import('../../server/vault/vault.ts'),
      import('../../db/open.ts'),
      import('../../db/clock.ts'),
      import('../../server/gateway/signing.ts'),
    ])
    const clock = clockOf()
    const vault = new Vault(new KeyRing(keySourceOf(values, folder, target)), clock)
    const db = await openDatabase(target)
    try {
      const { publicKey } = await db.inTransaction((tx) => renewSigningKey({ vault, clock }, tx))
      const text = `The new public key is ${publicKey}\nGive it to each gateway (--public-key): they refuse what it signed until then.\n`
      return { data: { publicKey }, text }
    } finally {
      await db.close()
    }
  },
})
