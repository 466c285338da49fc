/** `svc lint` with documents and guides that come over the network or out of a workspace. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '../../cli/registry.gen.ts'
import { runCommand, type Outcome } from '../fixtures/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-lint-'))
const titled = (word: string) =>
  `rules:\n  title-says-${word.toLowerCase()}:\n    severity: error\n    given: $.info.title\n    then: { function: pattern, functionOptions: { match: ${word} } }\n`
const files: Readonly<Record<string, string>> = {
  '/api.yaml': `openapi: 3.1.0\ninfo: { title: Pets, version: 1.0.0 }\npaths: { /a: { $ref: 'parts/a.yaml' } }\n`,
  '/parts/a.yaml': `get: { operationId: "get a", responses: { '200': { description: ok } } }\n`,
  '/rules/all.yaml': `extends: [api.yaml]\n${titled('Pets')}`,
  '/rules/api.yaml': titled('API'),
}
let server: Bun.Server<undefined>

beforeAll(() => {
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) => {
      const text = files[new URL(url).pathname]
      return text === undefined ? new Response('no', { status: 404 }) : new Response(text)
    },
  })
  writeFileSync(join(folder, 'near.yaml'), `extends: ${server.url.href}rules/api.yaml\n`)
  writeFileSync(join(folder, 'api.yaml'), files['/api.yaml'] ?? '')
  writeFileSync(join(folder, 'rules.yaml'), titled('API'))
})
afterAll(async () => {
  await server.stop(true)
  rmSync(folder, { recursive: true, force: true })
})

const svc = (line: string): Promise<Outcome> =>
  runCommand(line.replaceAll('URL', server.url.href.replace(/\/$/, '')).split(' '), registry, {
    cwd: folder,
    env: { SVC_WORKSPACE: join(folder, '.svc') },
  })
const codes = async (line: string): Promise<unknown> => {
  const { exit, stdout } = await svc(`${line} --json`)
  const { findings } = JSON.parse(stdout) as { findings: { code: string; source: string }[] }
  return [exit, findings.map((it) => `${it.code} ${it.source.replace(server.url.href, '…/')}`)]
}

test('an address is linted, with the files that its references lead to', async () => {
  const [exit, found] = (await codes('lint URL/api.yaml')) as [number, string[]]
  expect(exit).toBe(0)
  expect(found).toContain('operation-operationId-valid-in-url …/parts/a.yaml')
  expect(found.filter((it) => it.startsWith('invalid-ref'))).toEqual([])
})

test('a guide is read from an address, and what it extends beside it', async () => {
  expect(await codes('lint api.yaml --guide URL/rules/all.yaml')).toEqual([
    4,
    ['title-says-api api.yaml', 'invalid-ref api.yaml'],
  ])
  expect((await svc('lint api.yaml --guide near.yaml')).stderr).toContain('its host is not allowed on this machine')
  expect(await codes('lint api.yaml --guide near.yaml --allow-hosts 127.0.0.1')).toEqual([
    4,
    ['title-says-api api.yaml', 'invalid-ref api.yaml'],
  ])
})

test('a missing file is refused', async () => {
  const { exit, stderr } = await svc('lint URL/nothing.yaml')
  expect(exit).toBe(6)
  expect(stderr).toContain('404')
})

test('a guide of the workspace applies by its id', async () => {
  const created = await svc('style-guide create Ours --json')
  const { data } = JSON.parse(created.stdout) as { data: { id: string } }
  await svc('style-guide custom-rules Ours --set rules.yaml')
  await svc('style-guide rule update Ours oas3-api-servers --severity error')
  await svc('style-guide rule update Ours info-contact --off')
  const [exit, found] = (await codes(`lint api.yaml --guide ${data.id}`)) as [number, string[]]
  expect(exit).toBe(4)
  expect(found).toContain('title-says-api api.yaml')
  expect(found).not.toContain('info-contact api.yaml')
  const { stdout } = await svc(`lint api.yaml --guide ${data.id}`)
  expect(stdout).toContain('error    oas3-api-servers')
  expect((await svc('lint api.yaml --guide 00000000-0000-4000-8000-000000000000')).stderr).toContain('no style guide')
})

test('a guide of the workspace applies by its name; a word that is none opens no new workspace', async () => {
  await svc('style-guide create Titles')
  await svc('style-guide custom-rules Titles --set rules.yaml')
  const [exit, found] = (await codes('lint api.yaml --guide Titles')) as [number, string[]]
  expect([exit, found.filter((it) => it.startsWith('title-'))]).toEqual([4, ['title-says-api api.yaml']])
  const near = await svc('lint api.yaml --guide Titels')
  expect([near.exit, near.stdout]).toEqual([2, ''])
  expect(near.stderr).toStartWith('error: There is no style guide "Titels". Did you mean "Titles"?\n')
  const absent = join(folder, 'absent')
  const unknown = await runCommand(['lint', 'api.yaml', '--guide', 'Titles'], registry, {
    cwd: folder,
    env: { SVC_WORKSPACE: absent },
  })
  expect([unknown.exit, unknown.stdout, existsSync(absent)]).toEqual([2, '', false])
  expect(unknown.stderr).toStartWith('error: Unknown style guide "Titles": it is not a file, the builtin ones are ')
})
