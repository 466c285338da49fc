/** The checkout of a stranger: which addresses are requested, and what reaches a terminal or a log. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '../../cli/registry.gen.ts'
import { runCommand } from '../fixtures/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-hostile-'))
const requests: string[] = []
/** What a service of the network answers that is not meant for whoever reads the log. */
const secret = 'internal-secret-name'
let canary: Bun.Server<undefined>

const document = (more = '') => `openapi: 3.1.0
info: { title: A, version: "1" }
paths: {}
${more}`

beforeAll(() => {
  canary = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url }) => {
      const { pathname } = new URL(url)
      requests.push(pathname)
      if (pathname === '/moved.yaml')
        return new Response(null, { status: 302, headers: { location: `http://localhost:${canary.port}/rules.yaml` } })
      if (pathname === '/good.yaml') return new Response('extends: svc:recommended\n')
      return new Response(`${secret}: { ${secret}: true }\nrules: { a: { ${secret}: 1 } }\n`)
    },
  })
})
beforeEach(() => void requests.splice(0))
afterAll(async () => {
  await canary.stop(true)
  rmSync(folder, { recursive: true, force: true })
})

const svc = (line: string, env: Record<string, string> = {}, cwd = folder) =>
  runCommand(line.replaceAll('URL', canary.url.href.replace(/\/$/, '')).split(' '), registry, {
    cwd,
    env: { SVC_WORKSPACE: join(folder, '.svc'), HOME: folder, ...env },
  })
const checkout = (name: string, files: Record<string, string>): string => {
  const at = join(folder, name)
  mkdirSync(at, { recursive: true })
  for (const [file, text] of Object.entries(files))
    writeFileSync(join(at, file), text.replaceAll('URL', canary.url.href.replace(/\/$/, '')))
  return at
}

test('no address that a checkout names is requested, by any command, unless its host is allowed', async () => {
  const guide = checkout('guide', {
    'svc.yaml': 'apis: { a: { root: a.yaml, guide: "URL/rules.yaml" } }\n',
    'a.yaml': document(),
  })
  const base = checkout('base', {
    'svc.yaml': 'apis: { a: { root: a.yaml, compareWith: "URL/base.yaml" } }\n',
    'a.yaml': document(),
  })
  const rules = checkout('rules', { '.spectral.yaml': 'extends: URL/rules.yaml\n', 'a.yaml': document() })
  const refs = checkout('refs', {
    'a.yaml': document('components: { schemas: { A: { $ref: "URL/a.yaml#/A" } } }\n'),
  })
  const runs = [
    ...['check', 'lint', 'lint a.yaml'].map((line) => [line, guide] as const),
    ...['check', 'diff', 'breaking'].map((line) => [line, base] as const),
    ...['check', 'lint a.yaml'].map((line) => [line, rules] as const),
    ...['lint a.yaml', 'bundle a.yaml', 'convert a.yaml --to openapi-3.0', 'stats a.yaml', 'init --yes'].map(
      (line) => [line, refs] as const,
    ),
  ]
  const refused: string[] = []
  for (const [line, cwd] of runs) {
    const { stdout, stderr } = await svc(line, {}, cwd)
    if (`${stdout}${stderr}`.includes('its host is not allowed on this machine')) refused.push(line)
  }
  expect(requests).toEqual([])
  expect(refused).toEqual(expect.arrayContaining(['check', 'lint', 'lint a.yaml', 'diff', 'breaking']))

  const host = new URL(canary.url).host
  const allowed = await svc(`lint a.yaml --allow-hosts other.example,${host}`, {}, rules)
  expect(requests).toEqual(['/rules.yaml'])
  expect(allowed.exit).toBe(2)
  await svc('check', { SVC_ALLOW_HOSTS: '127.0.0.1' }, base)
  expect(requests).toEqual(['/rules.yaml', '/base.yaml'])
})

test('of an answer nothing is printed but where it is wrong', async () => {
  const rules = checkout('rules', { '.spectral.yaml': 'extends: URL/rules.yaml\n', 'a.yaml': document() })
  const named = checkout('named', {
    'svc.yaml': 'apis: { a: { root: a.yaml, guide: "URL/rules.yaml", rules: { internal-secret-nam: off } } }\n',
    'a.yaml': document(),
  })
  for (const [line, cwd] of [
    ['lint a.yaml --allow-hosts 127.0.0.1', rules],
    ['check --allow-hosts 127.0.0.1', named],
    ['lint a.yaml --guide URL/rules.yaml', rules],
  ] as const) {
    const { stdout, stderr } = await svc(line, {}, cwd)
    expect(`${stdout}${stderr}`).toContain('rules.yaml:')
    expect(`${stdout}${stderr}`).not.toContain(secret)
  }
})

test('what the command line names is requested; what an allowed host redirects to must be allowed, too', async () => {
  const at = checkout('plain', { 'a.yaml': document(), '.spectral.yaml': 'extends: URL/moved.yaml\n' })
  const named = await svc('lint a.yaml --guide URL/good.yaml', {}, at)
  expect([named.exit, requests]).toEqual([0, ['/good.yaml']])
  const moved = await svc('lint a.yaml --allow-hosts 127.0.0.1', {}, at)
  expect(requests).toEqual(['/good.yaml', '/moved.yaml'])
  expect(moved.stderr).toContain(`http://localhost:${canary.port}/rules.yaml was not requested`)
})

test('--offline requests nothing, whoever names it', async () => {
  const at = checkout('plain', { 'a.yaml': document(), '.spectral.yaml': 'extends: svc:recommended\n' })
  for (const line of [
    'lint URL/a.yaml --offline',
    'lint a.yaml --guide URL/good.yaml --allow-hosts 127.0.0.1 --offline',
  ]) {
    const { exit, stderr } = await svc(line, {}, at)
    expect([exit, stderr]).toEqual([2, expect.stringContaining('was not requested, because of --offline')])
  }
  const remote = await svc('project list --base-url URL --offline', { SVC_API_KEY: 'k' }, at)
  expect([remote.exit, remote.stderr]).toEqual([2, expect.stringContaining('because of --offline')])
  expect((await svc('lint a.yaml', { SVC_OFFLINE: 'true' }, at)).exit).toBe(0)
  expect(requests).toEqual([])
})

/** Steers a terminal, turns the order of text, and is a command of pipelines on a line of its own. */
const hostile = 'x\u001b[2J\u202e\u0007\n::error::injected\n##vso[task.setvariable]x'

test('no text of a document steers a terminal or a pipeline, whatever command prints it', async () => {
  const text = (value: unknown) => JSON.stringify(value)
  const operation = {
    operationId: hostile,
    tags: [hostile],
    summary: hostile,
    parameters: [{ name: hostile, in: 'query', schema: { type: hostile } }],
    responses: { [hostile]: { description: hostile } },
  }
  const api = (path: string) =>
    text({
      openapi: '3.1.0',
      info: { title: hostile, version: hostile },
      tags: [{ name: `${hostile} unused` }],
      paths: { [path]: { get: operation } },
      components: { schemas: { [hostile]: { type: 'object', required: [hostile] } } },
      [`x-${hostile}`]: 1,
    })
  const at = checkout('hostile', {
    'a.json': api(`/${hostile}`),
    'b.json': api(`/other${hostile}`),
    'rules.json': text({
      rules: {
        [`r${hostile}`]: {
          given: '$.info',
          severity: 'error',
          message: hostile,
          then: { field: hostile, function: 'truthy' },
        },
      },
    }),
    'svc.yaml': `apis:\n  a: { root: a.json, guide: rules.json, compareWith: b.json }\n`,
  })
  const steered: string[] = []
  for (const line of [
    'lint a.json --guide rules.json',
    'lint a.json --guide rules.json --format stylish',
    'lint a.json --guide rules.json --format github-actions',
    'lint a.json --guide rules.json --explain x',
    'check',
    'check --format github-actions',
    'diff a.json b.json',
    'diff a.json b.json --format github-actions',
    'breaking a.json b.json',
    'stats a.json',
    'stats a.json b.json',
    'init --yes',
    'bundle missing.json',
  ]) {
    const { stdout, stderr } = await svc(line, { GITHUB_ACTIONS: 'true' }, at)
    // Colours are off: no sequence at all may be there.
    // oxlint-disable-next-line no-control-regex -- controls are what is looked for
    if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(stdout + stderr)) steered.push(line)
    if (/^\s*::error::injected|##vso\[/m.test(stdout + stderr)) steered.push(`${line}: command`)
  }
  expect(steered).toEqual([])
})
