/** Two people review a draft with commands: what each of them sees, from the request to the approval that counts. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import notificationCommands from '../../commands/notification/index.ts'
import reviewCommands from '../../commands/review/index.ts'
import threadCommands from '../../commands/thread/index.ts'
import type { Database } from '../../db/database.ts'
import { openDatabase } from '../../db/open.ts'
import { asLocalOwner } from '../../server/auth/local-owner.ts'
import { addMember, addUser } from '../fixtures/accounts.ts'
import { readersDone } from '../fixtures/outbox.ts'
import { openPetsProject, petsYaml, type PetsProject } from '../fixtures/pets-project.ts'
import { registryOf, runCommand } from '../fixtures/run-command.ts'

const { count: notificationCount, list: notificationList, read: notificationRead } = notificationCommands.commands
const {
  approve: reviewApprove,
  list: reviewList,
  mine: reviewMine,
  'request-changes': reviewRequestChanges,
  request: reviewRequest,
  withdraw: reviewWithdraw,
} = reviewCommands.commands
const { create: threadOpen, reply: threadReply, resolve: threadResolve } = threadCommands.commands

const registry = registryOf({
  'notification count': notificationCount,
  'notification list': notificationList,
  'notification read': notificationRead,
  'review approve': reviewApprove,
  'review list': reviewList,
  'review mine': reviewMine,
  'review request': reviewRequest,
  'review request-changes': reviewRequestChanges,
  'review withdraw': reviewWithdraw,
  'thread create': threadOpen,
  'thread reply': threadReply,
  'thread resolve': threadResolve,
})
const folder = mkdtempSync(join(tmpdir(), 'svc-review-'))
let db: Database
let it: PetsProject
const servers: Bun.Server<undefined>[] = []
let ann: (...argv: string[]) => Promise<string>
let ben: (...argv: string[]) => Promise<string>

/** Ids and times are others in each run, and so are the widths of their columns. */
const settled = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replaceAll(/\d{4}-\d{2}-\d{2}( \d{2}:\d{2})?/g, 'TIME')
    .replaceAll(/http:\/\/\S+\/app/g, 'APP')
    .replaceAll(/ {2,}/g, '  ')
    .trimEnd()

beforeAll(async () => {
  db = await openDatabase({ kind: 'sqlite', path: join(folder, 'svc.db') })
  it = await openPetsProject(db)
  const as = (userId: string) => {
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: (request) => {
        // Who asks is known by the listener; a key would be looked at first.
        request.headers.delete('x-api-key')
        return it.service.handle(asLocalOwner(request, userId))
      },
    })
    servers.push(server)
    return async (...argv: string[]): Promise<string> => {
      const all = ['--base-url', server.url.origin, '--tenant', 'local', ...argv]
      const { exit, stdout, stderr } = await runCommand(all, registry, {
        env: { SVC_API_KEY: 'unused', XDG_CONFIG_HOME: folder },
      })
      return exit === 0 ? stdout : `${stderr}exit ${exit}`
    }
  }
  const ids = { ann: await addUser(db, 'ann'), ben: await addUser(db, 'ben') }
  for (const id of Object.values(ids)) await addMember(db, it.tenantId, id, 'editor')
  ann = as(ids.ann)
  ben = as(ids.ben)
  await it.send('POST', '', { label: '1.0.0', content: petsYaml('1.0.0') })
}, 60_000)
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop(true)))
  await it.service.stop()
  await db.close()
  rmSync(folder, { recursive: true, force: true })
})

const idIn = (text: string): string => /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(text)?.[0] ?? ''
let review = ''

test('a review is requested by address, and waits for the member', async () => {
  const asked = await ann(
    'review',
    'request',
    'pets',
    '1.0.0',
    '--reviewer',
    'ben@example.com',
    '--note',
    'Please look',
  )
  review = idIn(asked)
  expect(settled(asked)).toBe(
    [
      'pets 1.0.0: pending',
      'Review ID, requested by ann on TIME',
      'Please look',
      'REVIEWER  ANSWER  NOTE',
      'ben  pending',
    ].join('\n'),
  )
  const table = ['ID  PROJECT  VERSION  STATUS  REQUESTED BY  REVIEWERS', 'ID  pets  1.0.0  pending  ann  ben'].join(
    '\n',
  )
  expect(settled(await ben('review', 'mine', '--status', 'pending'))).toBe(table)
  expect(settled(await ann('review', 'list', 'pets', '1.0.0'))).toBe(table)
})

test('changes are requested, discussed, and the draft is approved in the end', async () => {
  const refused = await ben('review', 'request-changes', 'pets', '1.0.0', review, '--note', 'The title')
  expect(settled(refused).split('\n').slice(0, 1)).toEqual(['pets 1.0.0: changes requested'])
  expect(settled(refused).split('\n').at(-1)).toBe('ben  changes requested  The title')
  const patch = join(folder, 'patch.json')
  writeFileSync(patch, '[{ "op": "replace", "path": "/info/title", "value": "Animals" }]')
  const opened = await ben('thread', 'create', 'pets', '1.0.0', '/info/title', 'Shorter', '--suggestion', patch)
  expect(settled(opened).split('\n').slice(0, 2)).toEqual(['Thread ID', '#info/title, line 2 (open)'])
  const thread = idIn(opened)
  expect(settled(await ann('thread', 'reply', 'pets', '1.0.0', thread, 'Not now'))).toBe('Added comment ID')
  expect(settled(await ann('thread', 'resolve', 'pets', '1.0.0', thread)).split('\n')[0]).toBe(
    '#info/title, line 2 (resolved)',
  )
  const approved = await ben('review', 'approve', 'pets', '1.0.0', review, '--note', 'Good')
  expect(settled(approved).split('\n')).toEqual([
    'pets 1.0.0: approved',
    'Review ID, requested by ann on TIME',
    'Please look',
    'REVIEWER  ANSWER  NOTE',
    'ben  approved  Good',
  ])
})

test('each is notified of what the other did', async () => {
  await readersDone(db)
  expect(settled(await ben('notification', 'list'))).toBe(
    [
      'ID  STATE  TIME  WHAT  BY  WHERE',
      'ID  unread  TIME  A thread on Pets 1.0.0 was resolved  ann  APP/t/local/pets/1.0.0/review?thread=ID',
      'ID  unread  TIME  Your review of Pets 1.0.0 was requested  ann  APP/t/local/pets/1.0.0/review',
    ].join('\n'),
  )
  expect(settled(await ann('notification', 'list', '--type', 'review_decision'))).toBe(
    [
      'ID  STATE  TIME  WHAT  BY  WHERE',
      'ID  unread  TIME  Pets 1.0.0 was approved  ben  APP/t/local/pets/1.0.0/review',
      'ID  unread  TIME  Changes to Pets 1.0.0 were requested  ben  APP/t/local/pets/1.0.0/review',
    ].join('\n'),
  )
  expect(settled(await ben('notification', 'read', '--all'))).toBe('Marked 2 notifications as read, 0 unread')
})

test('an answer and a request are taken back', async () => {
  const answer = settled(await ben('review', 'withdraw', 'pets', '1.0.0', review))
  expect(answer.split('\n').at(-1)).toBe('ben  withdrawn  Good')
  const whole = settled(await ann('review', 'withdraw', 'pets', '1.0.0', review))
  expect(whole.split('\n')[0]).toBe('pets 1.0.0: withdrawn, closed')
  expect(settled(await ben('review', 'approve', 'pets', '1.0.0', review))).toContain('review-closed')
})
