/** Ten tasks over real documents that the agent has never seen, each solved in few calls and few tokens. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../db/database.ts'
import { openDatabase } from '../../db/open.ts'
import { importsApi } from '../../src/api/imports.ts'
import type { Json } from '../../src/kernel/json.ts'
import { getPath, parseFragment } from '../../src/kernel/pointer.ts'
import { operationAt } from '../../src/spec/part.ts'
import { startService, type TestService } from '../fixtures/service.ts'
import { needsOf, solve } from './scripted-agent.ts'

const examples = join(import.meta.dir, '../../node_modules/@readme/oas-examples')
const sources: Readonly<Record<string, string>> = {
  petstore: '3.0/json/petstore.json',
  uspto: '3.0/json/uspto.json',
  readme: '3.1/json/readme.json',
  'star-trek': '3.0/json/star-trek.json',
  trains: '3.1/json/train-travel.json',
  uploads: '3.0/json/file-uploads.json',
  statuses: '3.0/json/http-status-codes.json',
  links: '3.0/json/link-example.json',
}

const tasks: readonly (readonly [task: string, project: string, ref: string])[] = [
  ['upload a picture of a pet', 'petstore', 'POST /pet/{petId}/uploadImage'],
  ['I want to place an order for a pet', 'petstore', 'POST /store/order'],
  ['log a user into the system with a password', 'petstore', 'GET /user/login'],
  ['pay for the train booking', 'trains', 'POST /bookings/{bookingId}/payment'],
  ['find the trips between two stations', 'trains', 'GET /trips'],
  ['cancel (delete) my booking', 'trains', 'DELETE /bookings/{bookingId}'],
  ['create a changelog post', 'readme', 'POST /changelogs'],
  ['search Star Trek spacecraft by name', 'star-trek', 'POST /spacecraft/search'],
  ['what fields can I use to query a dataset', 'uspto', 'GET /{dataset}/{version}/fields'],
  ['list the pull requests of a repository', 'links', 'GET /2.0/repositories/{username}/{slug}/pullrequests'],
]

const folder = mkdtempSync(join(tmpdir(), 'svc-tasks-'))
const documents: Record<string, Json> = {}
let db: Database
let it: TestService

beforeAll(async () => {
  db = await openDatabase({ kind: 'sqlite', path: join(folder, 'svc.db') })
  it = await startService(db)
  for (const [slug, path] of Object.entries(sources)) {
    const content = await Bun.file(join(examples, path)).text()
    documents[slug] = JSON.parse(content) as Json
    const body = { source: { kind: 'inline' as const, name: path, content }, project_slug: slug }
    const publishing = { ...body, publish: 'public' as const, force: true, force_reason: 'examples have faults' }
    const job = await it.call(importsApi.create, { params: { tenant_slug: it.tenant }, body: publishing })
    const done = await it.call(importsApi.get, { params: { job_id: job.job_id }, query: { wait: 30 } })
    expect([slug, done.status, done.error]).toEqual([slug, expect.stringMatching(/^completed/), null])
  }
}, 60_000)
afterAll(async () => {
  await it.service.stop()
  await db.close()
  rmSync(folder, { recursive: true, force: true })
  expect(it.faults).toEqual([])
})

for (const [task, project, ref] of tasks)
  test(task, async () => {
    const learned = await solve(it.service.callWith(null), task)
    expect([learned.spec.split('/')[1], learned.ref]).toEqual([project, ref])
    expect(learned.calls).toBeLessThanOrEqual(4)
    expect(learned.tokens).toBeLessThanOrEqual(12_000)
    const document = documents[project] ?? null
    const [method = '', path = ''] = ref.split(' ')
    const definition = operationAt(document, ['paths', path, method.toLowerCase()])
    const truth = await needsOf(definition, async (name) => getPath(document, parseFragment(name) ?? []))
    expect([learned.required, learned.errors]).toEqual([truth.required, truth.errors])
  })
