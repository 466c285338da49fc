/** `svc key list`: keys of all kinds in one list. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KeyOfAnyKind } from '../../cli/key/kinds.ts'
import { registry } from '../../cli/registry.gen.ts'
import keyCommands from '../../commands/key/index.ts'
import type { Invocation } from '../../cli/declare.ts'
import { mcpKeysApi } from '../../src/api/mcp-keys.ts'
import { SvcError } from '../../src/errors.ts'
import { runCommand } from '../fixtures/run-command.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-key-list-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = async (line: string) => {
  const { exit, stdout, stderr } = await runCommand(line.split(' '), registry, {
    env: { SVC_WORKSPACE: folder },
    cwd: folder,
  })
  return { exit, stdout, said: stderr.split('\n')[0] ?? '' }
}
const keysIn = (stdout: string) => (JSON.parse(stdout) as { data: readonly KeyOfAnyKind[] }).data

test('keys of API clients, agents and the MCP endpoint are in one list, without their texts', async () => {
  expect(await run('key list')).toEqual({ exit: 0, stdout: 'No keys.\n', said: '' })
  await run('key api create pipeline --expires-in 30')
  await run('key agent create bot --toolset catalog-read')
  await run('key mcp create desk')
  const { exit, stdout } = await run('key list --json')
  const keys = keysIn(stdout)
  expect([exit, keys.map((it) => [it.kind, it.label, it.status, it.expires_at !== null, it.last_used_at])]).toEqual([
    0,
    [
      ['api', 'pipeline', 'active', true, null],
      ['agent', 'bot', 'active', true, null],
      ['mcp', 'desk', 'active', false, null],
    ],
  ])
  expect(Object.keys(keys[0] ?? {})).toEqual([
    'kind',
    'id',
    'label',
    'prefix',
    'status',
    'created_at',
    'expires_at',
    'last_used_at',
  ])
  const { stdout: shown } = await run('key list --kind mcp')
  expect(shown.split('\n').map((line) => line.split(/\s+/)[0])).toEqual(['KIND', 'mcp', ''])
})

test('a kind that may not be seen is left out with its reason; without any other, it is the failure', async () => {
  const warned: string[] = []
  const call = (endpoint: { readonly id: string }) =>
    endpoint.id === mcpKeysApi.list.id
      ? Promise.reject(new SvcError('permission-denied', { permission: 'mcp:govern' }))
      : Promise.resolve({ items: [], total: 0 })
  const invocation = (kind: string | undefined) =>
    ({
      args: {},
      options: { kind },
      globals: { baseUrl: 'https://svc.example.com' },
      io: { log: { warn: (text: string) => warned.push(text) } },
      connection: () => Promise.resolve({ call, tenant: () => Promise.resolve('acme') }),
    }) as unknown as Invocation
  const { list } = keyCommands.commands
  expect(await list.run(invocation(undefined))).toMatchObject({ data: [] })
  expect(warned).toEqual([
    'Keys of the kind "api" are not listed: User accounts and API keys are managed on the machine that has the data, not with --base-url; the application can invite members and create keys',
    'Keys of the kind "mcp" are not listed: Missing permission mcp:govern.',
  ])
  expect(await list.run(invocation('mcp')).catch((error: unknown) => (error as SvcError).code)).toBe(
    'permission-denied',
  )
})
