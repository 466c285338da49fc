import { resolve } from 'node:path'
import { command } from '../../cli/declare.ts'
import { backupSchema, describeBackup, locateDatabase, printBackup } from '../../cli/backup/place.ts'

// The key is left out: anyone who finds a backup would read every secret with it.
const keyNote =
  'keys     not included: keep SVC_SECRET_KEY or secret.key apart; stored secrets cannot be read without them\n'

export default command({
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
    const { target, name } = locateDatabase(invocation)
    const facts = describeBackup(file, await createBackup(target, file, now.getTime()))
    return { data: facts, text: `Backed up ${name} to ${file}\n${printBackup(facts)}${keyNote}` }
  },
})
