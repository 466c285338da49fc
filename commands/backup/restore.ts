import { resolve } from 'node:path'
import { command } from '../../cli/declare.ts'
import { backupSchema, describeBackup, locateDatabase, printBackup } from '../../cli/backup/place.ts'

export default command({
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
    const { target, name } = locateDatabase(invocation)
    const facts = describeBackup(file, await restoreBackup(file, target))
    return { data: facts, text: `Restored ${file} into ${name}\n${printBackup(facts)}` }
  },
})
