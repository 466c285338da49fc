import { resolve } from 'node:path'
import {
  backupSchema,
  damageOf,
  describeBackup,
  locateDatabase,
  namesOfDamaged,
  printBackup,
} from '../../cli/backup/place.ts'
import { command, group } from '../../cli/declare.ts'
import { SvcError } from '../../src/errors.ts'

// The key is left out: anyone who finds a backup would read every secret with it.
const keyNote =
  'keys     not included: keep SVC_SECRET_KEY or secret.key apart; stored secrets cannot be read without them\n'

export default group({
  summary: 'Create, verify and restore backups',
  commands: {
    create: command({
      summary: 'Write all data to one file',
      description:
        'Takes a consistent snapshot while the service keeps running. The file is the same for SQLite and Postgres, ' +
        'contains hashes of passwords and keys, and only you can read it. Without FILE it is named after the time.',
      examples: ['svc backup create', 'svc backup create before-upgrade.svcbackup --workspace /data'],
      arguments: [{ name: 'file', summary: 'the file to create; it must not exist' }],
      options: {},
      dataSchema: backupSchema,
      run: async (invocation) => {
        const { createBackup } = await import('../../db/backup/create.ts')
        const now = new Date()
        const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '')
        const file = resolve(invocation.cwd, invocation.args.file ?? `svc-${stamp}.svcbackup`)
        const { target, name } = await locateDatabase(invocation)
        const facts = describeBackup(file, await createBackup(target, file, now.getTime()))
        const damage = damageOf(facts)
        if (damage !== null) invocation.io.log.warn(damage)
        return { data: facts, text: `Backed up ${name} to ${file}\n${printBackup(facts)}${keyNote}` }
      },
    }),
    verify: command({
      summary: 'Check that a backup is complete and undamaged',
      description:
        'Reads every row and checks it against the recorded digests, and every document against its own. Changes nothing and needs no workspace.',
      examples: ['svc backup verify before-upgrade.svcbackup'],
      arguments: [{ name: 'file', required: true, summary: 'the backup' }],
      options: {},
      dataSchema: backupSchema,
      run: async ({ args, cwd }) => {
        const { verifyBackup } = await import('../../db/backup/verify.ts')
        const file = resolve(cwd, args.file)
        const facts = describeBackup(file, verifyBackup(file))
        if (facts.damaged.length > 0)
          throw new SvcError('backup-documents-damaged', { path: file, documents: namesOfDamaged(facts) })
        return { data: facts, text: `${file} is whole\n${printBackup(facts)}` }
      },
    }),
    restore: command({
      summary: 'Restore a backup into an empty workspace or database',
      description:
        'Verifies the backup first, then restores all of it or nothing, into SQLite or Postgres, regardless of where it was made. ' +
        'A backup of an older svc is migrated to the current tables.',
      examples: [
        'svc backup restore before-upgrade.svcbackup --workspace ./restored',
        'SVC_DATABASE_URL=postgres://localhost/svc svc backup restore before-upgrade.svcbackup',
      ],
      arguments: [{ name: 'file', required: true, summary: 'the backup' }],
      options: {},
      dataSchema: backupSchema,
      run: async (invocation) => {
        const { restoreBackup } = await import('../../db/backup/restore.ts')
        const file = resolve(invocation.cwd, invocation.args.file)
        const { target, name } = await locateDatabase(invocation)
        const facts = describeBackup(file, await restoreBackup(file, target))
        const damage = damageOf(facts)
        if (damage !== null) invocation.io.log.warn(damage)
        return { data: facts, text: `Restored ${file} into ${name}\n${printBackup(facts)}` }
      },
    }),
  },
})
