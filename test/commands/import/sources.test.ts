/** The options of "auto", "json-schema", "git" and "preflight" that the common table does not have, near and far. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { registry } from '../../../cli/registry.gen.ts'
import { styleGuidesApi } from '../../../src/api/style-guides.ts'
import {
  arazzoText,
  openapiText,
  openImportSetup,
  plainText,
  type ImportSetup,
  type Way,
} from '../../fixtures/import-setup.ts'

let setup: ImportSetup
beforeAll(async () => {
  setup = await openImportSetup()
})
afterAll(() => setup.close())

interface Version {
  readonly id: string
  readonly project_id: string
  readonly label: string
  readonly classes_count: number
}
const versionsOf = async (way: Way, project: string): Promise<readonly Version[]> => {
  const { exitCode, data } = await way.ask(['version', 'list', project])
  return exitCode === 0 ? (data as Version[]) : []
}
const classesOf = async (way: Way, project: string): Promise<unknown> => {
  const { components } = JSON.parse(await way.render('openapi', project, '1.0.0')) as {
    components: { schemas: object }
  }
  return components.schemas
}
const exitOf = async (way: Way, ...argv: readonly string[]): Promise<number> => {
  const { exit, stderr } = await way.run(['import', ...argv])
  if (exit === 70) throw new Error(stderr)
  return exit
}

const address = JSON.stringify({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Address',
  type: 'object',
  properties: { street: { type: 'string' }, zip: { type: 'integer' } },
})

test('--as, --name and --description say what a schema becomes', async () => {
  setup.write('address.json', address)
  for (const way of setup.ways)
    for (const command of ['json-schema', 'auto']) {
      const into = (name: string): string => `${name}-of-${command}`
      const schema = ['--as', 'schema', '--name', 'Place', '--description', 'Where it is.']
      expect(await exitOf(way, command, 'address.json', '--project-slug', into('schema'), ...schema)).toBe(0)
      expect(await classesOf(way, into('schema'))).toMatchObject({
        Place: { description: 'Where it is.', type: 'object' },
      })
      expect(
        await exitOf(way, command, 'address.json', '--project-slug', into('properties'), '--as', 'properties'),
      ).toBe(0)
      expect(Object.keys((await classesOf(way, into('properties'))) as object).sort()).toEqual(['street', 'zip'])
      const property = ['--as', 'property', '--name', 'home']
      expect(await exitOf(way, command, 'address.json', '--project-slug', into('property'), ...property)).toBe(0)
      expect(JSON.stringify(await classesOf(way, into('property')))).toContain('"home"')
      expect(await exitOf(way, command, 'address.json', '--as', 'table')).toBe(2)
    }
})

test('--version-id attaches workflows and schemas to a version that is there', async () => {
  setup.write('api.json', openapiText('Attached'))
  setup.write('flow.json', arazzoText('Some flow'))
  setup.write('address.json', address)
  for (const way of setup.ways) {
    await way.run(['import', 'openapi', 'api.json'])
    const [version] = await versionsOf(way, 'attached')
    const id = version?.id ?? ''
    expect(await exitOf(way, 'arazzo', 'flow.json', '--version-id', id)).toBe(0)
    expect(JSON.parse(await way.render('arazzo', 'attached', '1.0.0'))).toMatchObject({
      workflows: [{ workflowId: 'list' }],
    })
    expect(await exitOf(way, 'json-schema', 'address.json', '--version-id', id)).toBe(0)
    expect(Object.keys((await classesOf(way, 'attached')) as object).sort()).toEqual(['Address', 'Thing'])
    expect(await exitOf(way, 'auto', 'flow.json', '--version-id', id)).toBe(0)
    expect(await versionsOf(way, 'attached')).toMatchObject([{ label: '1.0.0' }])
    expect(await versionsOf(way, 'some-flow')).toEqual([])
    expect(await exitOf(way, 'auto', 'flow.json', '--version-id', 'attached')).toBe(2)
  }
})

test('json-schema: --dry-run stores nothing, --project-id names the project', async () => {
  setup.write('first.json', address.replace('Address', 'First'))
  for (const way of setup.ways) {
    expect(await exitOf(way, 'json-schema', 'first.json', '--dry-run')).toBe(0)
    expect(await versionsOf(way, 'first')).toEqual([])
    expect(await exitOf(way, 'json-schema', 'first.json')).toBe(0)
    const [version] = await versionsOf(way, 'first')
    setup.write('second.json', address.replace('Address', 'Second'))
    const into = ['--project-id', version?.project_id ?? '', '--version', '2.0.0']
    expect(await exitOf(way, 'json-schema', 'second.json', ...into)).toBe(0)
    expect(await versionsOf(way, 'first')).toMatchObject([{ label: '2.0.0' }, { label: '1.0.0' }])
  }
})

test('--bulk imports each independent document, --override says where one of them goes', async () => {
  const tree = {
    'a/api.json': openapiText('Bulk a'),
    'b/api.json': openapiText('Bulk b'),
    'c.json': openapiText('Bulk c'),
  }
  for (const [path, text] of Object.entries(tree)) setup.write(`bulk/${path}`, text)
  execFileSync('tar', ['czf', 'bulk.tar.gz', '-C', 'bulk', '.'], { cwd: setup.folder })
  for (const way of setup.ways) {
    setup.write('target.json', openapiText('Target'))
    await way.run(['import', 'openapi', 'target.json'])
    const [target] = await versionsOf(way, 'target')
    expect(await exitOf(way, 'auto', 'bulk', '--bulk', '--dry-run')).toBe(0)
    expect(await versionsOf(way, 'bulk-a')).toEqual([])
    const existing = ['--override', `b/api.json=existing:${target?.project_id}@2.0.0`]
    expect(await exitOf(way, 'auto', 'bulk.tar.gz', '--bulk', ...existing, '--override', 'bulk-c=new@3.0.0')).toBe(0)
    expect(await versionsOf(way, 'bulk-a')).toMatchObject([{ label: '1.0.0' }])
    expect(await versionsOf(way, 'bulk-b')).toEqual([])
    expect(await versionsOf(way, 'target')).toMatchObject([{ label: '2.0.0' }, { label: '1.0.0' }])
    expect(await versionsOf(way, 'bulk-c')).toMatchObject([{ label: '3.0.0' }])
    expect(await exitOf(way, 'auto', 'bulk', '--bulk', '--override', 'a/api.json=existing')).toBe(0)
    expect(await exitOf(way, 'auto', 'bulk', '--override', 'a/api.json=new')).toBe(2)
    expect(await exitOf(way, 'auto', 'bulk', '--bulk', '--override', 'a/api.json=sideways')).toBe(2)
    expect(await exitOf(way, 'auto', 'c.json', '--bulk')).toBe(2)
    expect(await exitOf(way, 'auto', 'bulk', '--bulk', '--project-name', 'One')).toBe(2)
  }
})

test('every registered format is a command', () => {
  expect(Object.keys(registry)).toEqual(
    expect.arrayContaining(['import arazzo', 'import json-schema', 'import mcp', 'import openapi', 'import swagger']),
  )
})

const git = (...args: readonly string[]): void => {
  execFileSync('git', [...args], {
    cwd: join(setup.folder, 'repo'),
    stdio: 'ignore',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  })
}

const commit = (message: string): void => {
  git('add', '-A')
  git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-qm', message)
}

test('git: --ref, --path, --root, --format, and what all imports have', async () => {
  mkdirSync(join(setup.folder, 'repo'))
  git('init', '-q', '-b', 'main')
  setup.write('repo/specs/one.json', openapiText('In git'))
  setup.write('repo/specs/two.json', plainText(openapiText('Two in git')))
  setup.write('repo/README.md', '# nothing')
  commit('one')
  git('tag', 'v1')
  setup.write('repo/specs/one.json', openapiText('In git', '2.0.0'))
  commit('two')
  mkdirSync(join(setup.folder, 'plain'))
  for (const way of setup.ways) {
    const one = ['git', 'repo', '--path', 'specs/one.json']
    expect(await exitOf(way, ...one, '--dry-run')).toBe(0)
    expect(await versionsOf(way, 'in-git')).toEqual([])
    expect(await exitOf(way, ...one, '--ref', 'v1', '--format', 'openapi', '--wait', '--poll-interval', '0.1')).toBe(0)
    expect(await exitOf(way, ...one, '--import-timeout', '30', '--min-grade', 'B')).toBe(0)
    expect(await versionsOf(way, 'in-git')).toMatchObject([{ label: '2.0.0' }, { label: '1.0.0' }])
    const shown = await way.ask(['version', 'show', 'in-git', '1.0.0'])
    expect(shown.data).toMatchObject({
      provenance: { path: 'specs/one.json', commit: expect.stringMatching(/^[0-9a-f]{40}$/) },
    })
    expect(await exitOf(way, 'git', 'repo', '--path', 'specs/two.json', '--fail-on', 'warning')).toBe(4)
    expect(await exitOf(way, 'git', 'repo', '--root', 'specs', '--path', 'two.json', '--no-wait', '--quiet')).toBe(0)
    expect(await exitOf(way, ...one, '--format', 'swagger')).toBe(6)
    expect(await exitOf(way, ...one, '--format', 'wsdl')).toBe(2)
    const refusal = async (...line: readonly string[]) => (await way.ask(['import', 'git', ...line])).error?.message
    expect(await refusal('repo', '--path', 'specs/one.json', '--ref', 'nowhere')).toContain('commit "nowhere"')
    expect(await refusal('plain', '--path', 'one.json')).toContain('there is no repository')
    expect(await exitOf(way, ...one, '--ref', 'nowhere')).toBe(6)
    expect(await exitOf(way, 'git', 'no-repo')).toBe(2)
  }
})

const gateOf = (data: unknown): unknown => (data as { policy: { verdict: string } }).policy.verdict

test('preflight scores what INPUT, --file and --url name, and stores nothing', async () => {
  setup.write('fine.json', openapiText('Preflight'))
  setup.write('plain.json', plainText(openapiText('Preflight')))
  setup.write('notes.json', '{"hello":"world"}')
  setup.write('torn.json', '{"openapi":')
  setup.write('pack/api.json', openapiText('Packed'))
  setup.write('pack/other.json', openapiText('Other'))
  execFileSync('tar', ['czf', 'pack.tgz', '-C', 'pack', '.'], { cwd: setup.folder })
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(openapiText('From afar')) })
  const rows: readonly (readonly [line: string, exit: number])[] = [
    ['fine.json', 0],
    ['--file fine.json', 0],
    [`--url ${server.url.href}api.json`, 0],
    ['--url fine.json', 2],
    ['', 2],
    ['fine.json --file fine.json', 2],
    ['--file missing.json', 2],
    ['fine.json --format openapi', 0],
    ['fine.json --format swagger', 6],
    ['fine.json --format wsdl', 2],
    ['pack.tgz --root api.json', 0],
    ['pack.tgz --root nothing.json', 6],
    ['fine.json --target catalog', 0],
    ['fine.json --target project', 0],
    ['fine.json --target types', 0],
    ['fine.json --min-grade A', 0],
    ['plain.json --min-grade A --fail-on info', 4],
    ['plain.json --fail-on info', 4],
    ['plain.json', 0],
    ['notes.json', 5],
    ['torn.json', 6],
  ]
  try {
    for (const way of setup.ways) {
      for (const [line, exit] of rows)
        expect({
          way: way.name,
          line,
          exit: await exitOf(way, 'preflight', ...line.split(' ').filter(Boolean)),
        }).toEqual({
          way: way.name,
          line,
          exit,
        })
      expect((await way.ask(['project', 'list'])).data).not.toContainEqual(
        expect.objectContaining({ slug: 'preflight' }),
      )
    }
  } finally {
    await server.stop(true)
  }
})

test('preflight tells the verdict of the policy: 3 where it blocks', async () => {
  for (const way of setup.ways) {
    const connection = await way.connect()
    try {
      const tenant_slug = 'local'
      const name = { name: `Strict ${way.name}` }
      const made = await connection.call(styleGuidesApi.create, { params: { tenant_slug }, body: name })
      const params = { tenant_slug, guide_id: made.id }
      const policyGates = { 'lint-findings': 'block', failOn: 'info' } as const
      await connection.call(styleGuidesApi.putPolicy, { params, body: { policyGates } })
      await connection.call(styleGuidesApi.makeDefault, { params })
      const strict = await way.ask(['import', 'preflight', 'plain.json'])
      expect([strict.exitCode, gateOf(strict.data)]).toEqual([3, 'blocked'])
      const fine = await way.ask(['import', 'preflight', 'fine.json'])
      expect([fine.exitCode, gateOf(fine.data)]).toEqual([0, 'pass'])
      const publish = ['import', 'openapi', 'plain.json', '--publish', 'public']
      const refused = await way.run(publish)
      expect(refused.exit).toBe(3)
      expect(refused.stdout).toMatch(/lint-findings +FAIL/)
      expect((await way.run([...publish, '--force', '--reason', 'A test.'])).exit).toBe(0)
    } finally {
      await connection.close()
    }
  }
})
