/** `svc init`: a svc.yaml from what a repository has. */
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { registry } from '../../../cli/registry.gen.ts'
import { runCommand } from '../../fixtures/run-command.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-init-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const write = (name: string, text: string): void => {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
}
const written = (): string => readFileSync(join(folder, 'svc.yaml'), 'utf8')
const git = (...args: string[]): void => {
  const done = Bun.spawnSync(['git', '-c', 'user.email=a@example.com', '-c', 'user.name=a', ...args], { cwd: folder })
  expect(done.exitCode).toBe(0)
}
const svc = (line: string) => runCommand(line.split(' '), registry, { cwd: folder, env: { SVC_CACHE: '0' } })
const api = (title: string): string => `openapi: 3.1.0\ninfo: { title: ${title}, version: '1' }\npaths: {}\n`
const header =
  '# The settings of svc for this repository; "svc schema project-file" prints the JSON Schema of this file.\n'

test('documents are named by their paths, else by their titles', async () => {
  write('apis/shop/v1/openapi.yaml', api('Shop'))
  write('apis/shop/v2/openapi.yaml', api('Shop'))
  write('openapi.json', JSON.stringify({ openapi: '3.0.3', info: { title: 'Ünser Dienst', version: '1' }, paths: {} }))
  write('users.swagger.yaml', "swagger: '2.0'\ninfo: { title: U, version: '1' }\npaths: {}\n")
  write('schemas/pet.json', '{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"}')
  write('test/fixtures/openapi.yaml', api('Fixture'))
  write('broken/openapi.yaml', 'openapi: 3.1.0\n\tinfo: x\n')
  write('package.json', '{"name":"x"}')
  const { exit, stdout, stderr } = await svc('init')
  expect([exit, stderr]).toEqual([0, ''])
  expect(written()).toBe(`${header}version: 1
apis:
  shop: apis/shop/v1/openapi.yaml
  shop-2: apis/shop/v2/openapi.yaml
  unser-dienst: openapi.json
  users: users.swagger.yaml
`)
  expect(stdout).toBe(`Wrote svc.yaml with 4 APIs:
NAME          ROOT                       FORMAT
shop          apis/shop/v1/openapi.yaml  OpenAPI 3.1
shop-2        apis/shop/v2/openapi.yaml  OpenAPI 3.1
unser-dienst  openapi.json               OpenAPI 3.0
users         users.swagger.yaml         Swagger 2.0

Not taken over:
  broken/openapi.yaml: it cannot be read; "svc lint" says why
  schemas/pet.json: it is a JSON Schema
  test/fixtures/openapi.yaml: it is in a folder of tests or examples

Next:
  svc check                    all gates: findings, grades, changes
  svc lint --write-baseline lint-baseline.json
                               accept what is found today; then set baseline in svc.yaml
  svc schema project-file      every setting of svc.yaml
`)
  expect((await svc('check')).exit).toBe(0)
})

test('configurations of other tools are converted and referred to', async () => {
  git('init', '-q', '-b', 'trunk')
  write('openapi/core.yaml', api('Core'))
  write('openapi/other.yaml', api('Other'))
  write(
    'redocly.yaml',
    'apis: { core@v2: { root: ./openapi/core.yaml } }\nrules: { info-license: off, struct: warn }\n',
  )
  write('.oasdiff.yaml', 'fail-on: ERR\n')
  write('vacuum.conf.yaml', 'ruleset: rules/vacuum.yaml\ntime: true\n')
  write('.spectral.yaml', 'rules: {}\n')
  write('svc-diff.yaml', 'ignore: []\n')
  write('oasdiff.toml', 'x = 1\n')
  write('.redocly.lint-ignore.yaml', '{}\n')
  git('add', '.')
  git('commit', '-qm', 'first')
  const { exit, stdout } = await svc('init --json')
  expect(exit).toBe(0)
  expect(written()).toBe(`${header}version: 1
compareWith: git:HEAD
diff:
  profile: oasdiff
  failOn: breaking
  config: svc-diff.yaml
rules:
  info-license: off
  oas3-schema: warning
guide: .spectral.yaml
apis:
  core@v2: openapi/core.yaml
`)
  const { data } = JSON.parse(stdout) as { data: { converted: object; left: object; written: boolean } }
  expect(data).toMatchObject({
    written: true,
    converted: [
      { file: '.oasdiff.yaml', what: ['the profile of its severities', 'fail-on'] },
      { file: 'redocly.yaml', what: ['1 API', '2 rules'] },
      { file: 'vacuum.conf.yaml', what: ['ruleset'] },
      { file: 'svc-diff.yaml', what: ['is referred to'] },
      { file: '.spectral.yaml', what: ['is the guide'] },
    ],
    left: [
      {
        file: 'vacuum.conf.yaml',
        reason:
          'ruleset: it is read as a ruleset of Spectral. Rules that vacuum has by the names of Spectral may find other things there, its own are skipped by name, and "spectral:oas", which vacuum takes for vacuum:oas, is that of Spectral',
      },
      { file: 'vacuum.conf.yaml', reason: 'time: svc has no such setting' },
      { file: 'oasdiff.toml', reason: 'svc reads YAML and JSON; write the settings into svc.yaml' },
      {
        file: '.redocly.lint-ignore.yaml',
        reason: 'write the known findings with "svc lint --write-baseline FILE" and set baseline',
      },
      { file: 'openapi/other.yaml', reason: 'the configuration that names the APIs does not name it' },
      { file: 'vacuum.conf.yaml', reason: 'its guide rules/vacuum.yaml gives way to .spectral.yaml' },
    ],
  })
  expect((await svc('check')).stdout).toContain('core@v2')
})

test('assertions of Redocly are rules of a ruleset beside svc.yaml, unless there is another guide', async () => {
  git('init', '-q')
  write('openapi.yaml', api('Core'))
  const assertion = 'rule/info-title: { subject: { type: Info, property: title }, assertions: { minLength: 40 } }'
  write('redocly.yaml', `rules: { ${assertion} }\n`)
  const { stdout } = await svc('init --json')
  const { data } = JSON.parse(stdout) as { data: { converted: object } }
  expect(data.converted).toEqual([{ file: 'redocly.yaml', what: ['1 assertion as rules of redocly-rules.yaml'] }])
  expect((await svc('lint')).stdout).toContain('info-title')
  write('.spectral.yaml', 'rules: {}\n')
  const other = JSON.parse((await svc('init --force --json')).stdout) as { data: { left: object; rulesets: object } }
  expect(other.data.rulesets).toEqual([])
  expect(other.data.left).toContainEqual({
    file: 'redocly.yaml',
    reason: 'its assertions are rules for .spectral.yaml, which is the guide: info-title',
  })
})

test('a ruleset beside an API is its guide', async () => {
  git('init', '-q')
  write('.spectral.yaml', 'rules: {}\n')
  write('a/openapi.yaml', api('A'))
  write('b/openapi.yaml', api('B'))
  write('b/.spectral.mjs', 'export default { rules: {} }\n')
  const { stdout } = await svc('init')
  expect(written()).toBe(`${header}version: 1
guide: .spectral.yaml
apis:
  a: a/openapi.yaml
  b:
    root: b/openapi.yaml
    guide: b/.spectral.mjs
`)
  expect(stdout).toContain('\nThe guide is a JavaScript program: give --allow-functions to svc lint and svc check.\n')
})

test('nothing is overwritten, and a dry run writes nothing', async () => {
  write('a.yaml', api('A'))
  const dry = await svc('init --dry-run')
  expect([dry.exit, dry.stdout]).toEqual([0, `${header}version: 1\napis:\n  a: a.yaml\n`])
  expect(dry.stderr).toContain('1 API:\nNAME  ROOT    FORMAT\na     a.yaml  OpenAPI 3.1\n')
  expect(existsSync(join(folder, 'svc.yaml'))).toBe(false)
  write('svc.yml', 'apis: {x: x.yaml}\n')
  const refused = await svc('init')
  expect([refused.exit, refused.stderr.split('\n')[0]]).toEqual([
    2,
    'error: There is a svc.yml already; --force replaces it, --dry-run prints what would be written',
  ])
  expect((await svc('init --force')).stdout).toStartWith('Wrote svc.yml with 1 API:\n')
  expect(readFileSync(join(folder, 'svc.yml'), 'utf8')).toBe(`${header}version: 1\napis:\n  a: a.yaml\n`)
})

test('without any document there is nothing to write', async () => {
  write('package.json', '{}')
  expect((await svc('init')).stderr).toStartWith(
    'error: No OpenAPI, Swagger, Arazzo or MCP document was found in the current folder or below it\n',
  )
  expect(existsSync(join(folder, 'svc.yaml'))).toBe(false)
})

test('a description is named before the workflows about it, and other commands know the names', async () => {
  const flow = "arazzo: 1.0.1\ninfo: { title: F, version: '1' }\nsourceDescriptions: []\nworkflows: []\n"
  write('museum/flows/museum-api.arazzo.yaml', flow)
  write('museum/openapi.yaml', api('Museum'))
  expect((await svc('init')).exit).toBe(0)
  const names = [...written().matchAll(/^ {2}([\w-]+): (.*)$/gm)].map(([, name, root]) => [name, root])
  expect(names).toEqual([
    ['museum-arazzo', 'museum/flows/museum-api.arazzo.yaml'],
    ['museum', 'museum/openapi.yaml'],
  ])
  const [bundled, counted, none] = [
    await svc('bundle museum'),
    await svc('stats museum --json'),
    await svc('stats zoo'),
  ]
  expect(bundled.stdout).toBe(api('Museum'))
  expect((JSON.parse(counted.stdout) as { data: { documents: { file: string }[] } }).data.documents).toMatchObject([
    { file: 'museum/openapi.yaml' },
  ])
  expect([none.exit, none.stderr.split('\n')[0]]).toEqual([2, 'error: There is no file "zoo"'])
})
