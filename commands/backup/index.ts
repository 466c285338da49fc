import { resolve } from 'node:path'
import {
  backupSchema,
  damageOf,
  describeBackup,
  locateDatabase,
  namesOfDamaged,
  printBackup,
} from '../../cli/backup/place.ts'
import { noteCreated, verifyObjects } from '../../cli/backup/objects.ts'
import { command, group } from '../../cli/declare.ts'
import { withLine } from '../../cli/progress-line.ts'
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
        'contains hashes of passwords and keys, and only you can read it. Without FILE it is named after the time. Objects stay in the object ' +
        'storage, which keeps them for the newest verified backup; --objects copy writes them into the file.',
      examples: ['svc backup create', 'svc backup create before-upgrade.svcbackup --workspace /data'],
      arguments: [{ name: 'file', summary: 'the file to create; it must not exist' }],
      options: {
        objects: {
          type: 'string',
          choices: ['reference', 'copy'],
          default: 'reference',
          placeholder: 'WHAT',
          summary: 'whether the file refers to objects of the object storage, or has copies of them (reference)',
        },
      },
      dataSchema: backupSchema,
      run: async (invocation) => {
        const { createBackup } = await import('../../db/backup/create.ts')
        const now = new Date()
        const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '')
        const file = resolve(invocation.cwd, invocation.args.file ?? `svc-${stamp}.svcbackup`)
        const { target, name } = await locateDatabase(invocation)
        const { objects } = invocation.options
        const manifest = await withLine(invocation.io, (say) =>
          createBackup(target, file, now.getTime(), { objects, onProgress: say }),
        )
        const facts = describeBackup(file, manifest)
        const unnoted = await noteCreated(target, manifest)
        if (unnoted !== null) invocation.io.log.warn(unnoted)
        const damage = damageOf(facts)
        if (damage !== null) invocation.io.log.warn(damage)
        return { data: facts, text: `Backed up ${name} to ${file}\n${printBackup(facts)}${keyNote}` }
      },
    }),
    verify: command({
      summary: 'Check that a backup is complete and undamaged',
      description:
        'Reads every row and checks it against the recorded digests, and every document against its own. Needs no workspace, unless the backup refers to ' +
        'objects: those are looked for in the object storage, and some are read whole. Then the database notes that the backup is whole.',
      examples: ['svc backup verify before-upgrade.svcbackup'],
      arguments: [{ name: 'file', required: true, summary: 'the backup' }],
      options: {
        sample: {
          type: 'integer',
          min: 0,
          max: 100_000_000,
          default: 200,
          summary: 'objects that are read whole, drawn at random (200)',
        },
      },
      dataSchema: backupSchema,
      run: async (invocation) => {
        const { args, cwd, options } = invocation
        const { verifyBackup } = await import('../../db/backup/verify.ts')
        const file = resolve(cwd, args.file)
        const manifest = verifyBackup(file)
        const facts = describeBackup(file, manifest)
        if (facts.damaged.length > 0)
          throw new SvcError('backup-documents-damaged', { path: file, documents: namesOfDamaged(facts) })
        if (facts.objects > 0) {
          const { target } = await locateDatabase(invocation)
          const { sample } = options
          await withLine(invocation.io, (say) => verifyObjects(file, manifest, target, { sample, say }))
        }
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
        const { missing, ...manifest } = await restoreBackup(file, target)
        const facts = describeBackup(file, manifest, missing)
        const damage = damageOf(facts)
        if (missing.length > 0)
          invocation.io.log.warn(
            `Objects are missing in the object storage, of ${missing.join(', ')}. Import the same bytes again, or restore the objects from a copy of the bucket.`,
          )
        if (damage !== null) invocation.io.log.warn(damage)
        return { data: facts, text: `Restored ${file} into ${name}\n${printBackup(facts)}` }
      },
    }),
  },
})
