import { withLine } from '../../cli/progress-line.ts'
import { sizeText, withStorage } from '../../cli/storage/open.ts'
import { command, group } from '../../cli/declare.ts'
import { plural } from '../../src/kernel/plural.ts'

const integer = (description: string) => ({ type: 'integer', description })
const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description })

export default group({
  summary: 'Manage the object storage of documents, on the machine that has the data',
  commands: {
    status: command({
      summary: 'Show what is in the database and what in the object storage',
      examples: ['svc storage status', 'svc storage status --json'],
      arguments: [],
      options: {},
      dataSchema: {
        type: 'object',
        required: ['place', 'kinds', 'queued', 'backups', 'verifiedBackup'],
        properties: {
          place: { type: 'string' },
          kinds: {
            type: 'array',
            items: {
              type: 'object',
              required: ['kind', 'inRows', 'inStore'],
              properties: {
                kind: { enum: ['contents', 'renderings', 'uploads'] },
                inRows: integer('What is in rows of the database.'),
                inStore: integer('What is in objects.'),
              },
            },
          },
          queued: integer('Objects that wait to be collected.'),
          backups: integer('Backups that refer to objects.'),
          verifiedBackup: {
            type: ['string', 'null'],
            format: 'date-time',
            description: 'When the newest verified one was made.',
          },
        },
      },
      run: (invocation) =>
        withStorage(invocation, async (db, { place }) => {
          const [{ storedKinds }, { holdOf }] = await Promise.all([
            import('../../db/objects/check.ts'),
            import('../../db/objects/collect.ts'),
          ])
          const { kinds, queued } = await storedKinds(db.read)
          const { backups, verifiedMadeAt: verifiedBackup } = await holdOf(db.read)
          const lines = kinds.map(
            ({ kind, inRows, inStore }) => `${kind.padEnd(11)}${inRows} in rows, ${inStore} in the storage\n`,
          )
          return {
            data: { place, kinds, queued, backups, verifiedBackup },
            text: `storage    ${place}\n${lines.join('')}queued     ${plural(queued, 'object')} to collect\nbackups    ${backups} with objects; newest verified: ${verifiedBackup ?? 'none'}\n`,
          }
        }),
    }),
    move: command({
      summary: 'Move documents between the database and the object storage',
      description:
        'Works while the service runs: each document is in one place or the other at every moment. You can interrupt the command and run it again. ' +
        'Documents below 16 kB, as they are stored, stay in the database.',
      examples: ['svc storage move --to store', 'svc storage move --to database'],
      arguments: [],
      options: {
        to: {
          type: 'string',
          required: true,
          choices: ['store', 'database'],
          placeholder: 'PLACE',
          summary: 'where they go',
        },
      },
      graceful: true,
      dataSchema: {
        type: 'object',
        required: ['to', 'moved', 'bytes', 'left', 'total', 'isComplete'],
        properties: {
          to: { enum: ['store', 'database'] },
          moved: integer('Documents and renderings that were moved.'),
          bytes: integer('Their size as they are stored.'),
          left: integer('What changed meanwhile or is damaged, and was left where it is.'),
          total: integer('What was to be moved at the start.'),
          isComplete: { type: 'boolean', description: 'False where the command was interrupted.' },
        },
      },
      run: (invocation) =>
        withStorage(invocation, async (db) => {
          const { moveObjects } = await import('../../db/objects/move.ts')
          const { to } = invocation.options
          const { signal } = invocation
          const moved = await withLine(invocation.io, (say) =>
            moveObjects(db, {
              to,
              signal,
              onProgress: (it) => say(`moved ${it.moved} of ${it.total}, ${sizeText(it.bytes)}`),
            }),
          )
          const isComplete = !signal.aborted
          const rest =
            moved.left === 0 ? '' : `; ${moved.left} changed meanwhile or are damaged: run it again, and "svc doctor"`
          return {
            data: { to, ...moved, isComplete },
            exitCode: isComplete ? 0 : 130,
            text: `Moved ${moved.moved} of ${moved.total} to the ${to}, ${sizeText(moved.bytes)}${rest}\n`,
          }
        }),
    }),
    check: command({
      summary: 'Check that every object is there, and read some of them',
      description:
        'Compares the references of the database with the list of the storage, asks for each object that the list does not have, and reads a sample ' +
        'whole to compare it with its digest. Changes nothing. Exits with 1 if an object is missing or damaged.',
      examples: ['svc storage check', 'svc storage check --sample 100000 --json'],
      arguments: [],
      options: {
        sample: {
          type: 'integer',
          min: 0,
          max: 100_000_000,
          default: 200,
          summary: 'objects that are read whole, drawn at random (200)',
        },
      },
      dataSchema: {
        type: 'object',
        required: ['referred', 'bytes', 'compared', 'missing', 'damaged', 'orphans', 'orphanBytes'],
        properties: {
          referred: integer('Objects that rows refer to.'),
          bytes: integer('Their size.'),
          compared: integer('Objects that were read whole.'),
          missing: texts(
            'Versions whose objects are not there, as ORGANIZATION/PROJECT/VERSION; keys of other objects.',
          ),
          damaged: texts('The same of objects whose bytes changed.'),
          orphans: integer('Objects without a row; "svc storage collect" removes them.'),
          orphanBytes: integer('Their size.'),
        },
      },
      run: (invocation) =>
        withStorage(invocation, async (db, objects) => {
          const { checkObjects, needing } = await import('../../db/objects/check.ts')
          const { sample } = invocation.options
          const { missing, damaged, ...facts } = await withLine(invocation.io, (say) =>
            checkObjects(db, objects, { sample, onProgress: (seen) => say(`looked at ${seen} objects`) }),
          )
          const data = {
            ...facts,
            missing: await needing(db.read, missing),
            damaged: await needing(db.read, damaged),
          }
          const named = (what: string, names: readonly string[], count: number): string =>
            count === 0 ? '' : `${what}   ${plural(count, 'object')}, of ${names.join(', ')}\n`
          const problems =
            named('missing', data.missing, missing.length) + named('damaged', data.damaged, damaged.length)
          const advice =
            problems === ''
              ? ''
              : 'Import the same bytes again under the same labels, or restore the objects from a copy of the bucket.\n'
          return {
            exitCode: problems === '' ? 0 : 1,
            data,
            text: `objects   ${facts.referred}, ${sizeText(facts.bytes)}\ncompared  ${facts.compared}\norphans   ${facts.orphans}, ${sizeText(facts.orphanBytes)}\n${problems}${advice}`,
          }
        }),
    }),
    collect: command({
      summary: 'Remove objects that nothing refers to',
      description:
        'Removes objects a day after their last reference went, and queues those that never had one. What the newest verified backup may refer to ' +
        'stays; where backups refer to objects and none was verified, everything stays. The service does the same each hour, except for looking for objects without a row.',
      examples: ['svc storage collect'],
      arguments: [],
      options: {},
      dataSchema: {
        type: 'object',
        required: ['queued', 'removed', 'kept', 'waiting'],
        properties: {
          queued: integer('Objects without a row that were queued now.'),
          removed: integer('Objects that were removed.'),
          kept: integer('Objects that are referred to again.'),
          waiting: integer('Objects that wait for their day, or for a verified backup.'),
        },
      },
      run: (invocation) =>
        withStorage(invocation, async (db) => {
          const { collectObjects, queueOrphans } = await import('../../db/objects/collect.ts')
          const now = Date.now()
          const done = await collectObjects(db, now, Number.POSITIVE_INFINITY)
          const queued = await withLine(invocation.io, (say) =>
            queueOrphans(db, now, (seen) => say(`looked at ${seen} objects`)),
          )
          const data = { ...done, queued, waiting: done.waiting + queued }
          return {
            data,
            text: `Removed ${plural(data.removed, 'object')}; ${data.waiting} wait, ${data.queued} of them queued now\n`,
          }
        }),
    }),
  },
})
