import { plural } from '../../src/kernel/plural.ts'
import { locateDatabase } from '../../cli/backup/place.ts'
import { loadConfig } from '../../cli/configuration.ts'
import { workspaceFolder } from '../../cli/connection/workspace.ts'
import { command, group } from '../../cli/declare.ts'
import { keySourceOf } from '../../server/vault/settings.ts'

export default group({
  summary: 'Manage the keys of stored secrets, on the machine that has the data',
  commands: {
    rotate: command({
      summary: 'Encrypt all stored secrets with the first key',
      description:
        'Run it after you put a new key in front of SVC_SECRET_KEY (or on the first line of SVC_SECRET_KEY_FILE) and restarted all servers; then ' +
        'remove the earlier key. On a local workspace --new-key creates the new key in secret.key; a running server reads it by itself. ' +
        'You can interrupt the command and run it again. It works while the service runs.',
      examples: ['svc secrets rotate --new-key', 'SVC_SECRET_KEY=NEW,OLD svc secrets rotate'],
      arguments: [],
      options: { 'new-key': { type: 'boolean', summary: 'create a new key in secret.key of the workspace first' } },
      dataSchema: {
        type: 'object',
        required: ['rotated'],
        properties: { rotated: { type: 'integer', description: 'Secrets that were encrypted again.' } },
      },
      run: async (invocation) => {
        const { target } = await locateDatabase(invocation)
        const { values } = loadConfig(invocation)
        const folder = workspaceFolder(values.workspace ?? undefined, invocation.env, invocation.cwd)
        const [{ KeyRing }, { Vault }, { openDatabase }, { clockOf }] = await Promise.all([
          import('../../server/vault/keys.ts'),
          import('../../server/vault/vault.ts'),
          import('../../db/open.ts'),
          import('../../db/clock.ts'),
        ])
        const ring = new KeyRing(keySourceOf(values, folder, target))
        const db = await openDatabase(target)
        try {
          if (invocation.options['new-key']) ring.addKey()
          const rotated = await new Vault(ring, clockOf()).rotate(db)
          return { data: { rotated }, text: `Encrypted ${plural(rotated, 'secret')} with the first key.\n` }
        } finally {
          await db.close()
        }
      },
    }),
    'renew-signing-key': command({
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
        const { target } = await locateDatabase(invocation)
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
    }),
  },
})
