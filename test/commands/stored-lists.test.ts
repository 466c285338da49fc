import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '../../cli/registry.gen.ts'
import { type Outcome, runCommand } from '../fixtures/run-command.ts'

const folder = await mkdtemp(join(tmpdir(), 'svc-lists-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

const svc = (...words: string[]): Promise<Outcome> => runCommand(['--workspace', folder, ...words], registry)
const json = (outcome: Outcome): Record<string, unknown> => JSON.parse(outcome.stdout) as Record<string, unknown>

await svc('import', 'openapi', require.resolve('@readme/oas-examples/3.1/json/train-travel.json'))

test('version operations: in the order of the document, searched and paged', async () => {
  const all = await svc('version', 'operations', 'train-travel-api', '1.0.0')
  expect(all.stdout.split('\n').slice(0, 3)).toEqual([
    'METHOD  PATH                           SUMMARY',
    'GET     /stations                      Get a list of train stations',
    'GET     /trips                         Get available train trips',
  ])
  const found = await svc('version', 'operations', 'train-travel-api', 'latest', '--search', 'booking')
  // Nothing is published yet, so there is no latest.
  expect([found.exit, found.stdout]).toEqual([2, ''])
  const paged = json(
    await svc('version', 'operations', 'train-travel-api', '1.0.0', '--search', 'booking', '--limit', '2', '--json'),
  )
  expect(paged['summary']).toEqual({ total: 5, limit: 2, offset: 0 })
  expect((paged['data'] as { ref: string }[]).map((it) => it.ref)).toEqual(['GET /bookings', 'POST /bookings'])
  const none = await svc('version', 'operations', 'train-travel-api', '1.0.0', '--search', 'no such thing')
  expect(none).toEqual({ exit: 0, stdout: 'No operations.\n', stderr: '' })
})

test('version lint: findings in the envelope, the grade in its summary', async () => {
  const report = json(await svc('version', 'lint', 'train-travel-api', '1.0.0', '--json'))
  expect(Object.keys(report['summary'] as object)).toEqual(['grade', 'score', 'counts', 'guide'])
  expect(Array.isArray(report['findings'])).toBe(true)
  const text = await svc('version', 'lint', 'train-travel-api', '1.0.0')
  expect(text.stdout.trimEnd().split('\n').at(-1)).toMatch(/^Grade [A-F], [\d.]+ of 100 by svc:recommended: \d+ errors/)
})

test('member list: the owner of the local workspace', async () => {
  const { stdout } = await svc('member', 'list')
  expect(stdout).toBe('E-MAIL           ROLE   STATUS  NAME\nowner@localhost  owner  active  Owner\n')
  expect((await svc('member', 'list', '--search', 'nobody')).stdout).toBe('No members.\n')
})
