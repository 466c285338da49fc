import { resolve } from 'node:path'
import { command } from '../../cli/declare.ts'
import { backupSchema, describeBackup, printBackup } from '../../cli/backup/place.ts'

export default command({
  summary: 'Check that a backup is complete and undamaged',
  description: 'Reads every row and checks it against the recorded digests. Changes nothing and needs no workspace.',
  examples: ['svc backup verify before-upgrade.svcbackup'],
  arguments: [{ name: 'file', required: true, summary: 'the backup' }],
  options: {},
  dataSchema: backupSchema,
  run: async ({ args, cwd }) => {
    const { verifyBackup } = await import('../../db/backup/verify.ts')
    const file = resolve(cwd, args.file)
    const facts = describeBackup(file, verifyBackup(file))
    return { data: facts, text: `${file} is whole\n${printBackup(facts)}` }
  },
})
