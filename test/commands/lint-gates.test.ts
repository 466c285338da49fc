/** `svc lint`, `svc import preflight` and `svc import`: the same grade, and baselines that hold from everywhere. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '../../cli/registry.gen.ts'
import { runCommand } from '../fixtures/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-gates-'))
const head = (more = '') => `openapi: 3.1.0
info: { title: Pets, version: 1.0.0, description: Pets., contact: { name: A, url: 'https://a.example', email: a@a.example }${more} }
servers: [{ url: https://a.example.org }]
tags: [{ name: pets, description: Pets. }]
`
const paths = (schema: string, more = '') => `paths:
  /pets:
    get:
      operationId: getPets
      summary: Lists pets
      description: Lists pets.${more}
      tags: [pets]
      responses: { '200': { description: ok, content: { application/json: { schema: ${schema} } } } }
`
const files: Readonly<Record<string, string>> = {
  'good.yaml': head() + paths('{ type: string }'),
  'broken.yaml': head() + paths(`{ $ref: '#/components/schemas/Nope' }`),
  'structure.yaml': head(', titel: x') + paths('{ type: string }'),
  'missing.yaml': head() + paths(`{ $ref: './nope.yaml#/A' }`),
  'text.yaml': 'openapi: 3.1.0\n\tinfo: x\n',
  'unknown.yaml': 'asyncapi: 2.6.0\ninfo: { title: T, version: 1.0.0 }\nchannels: {}\n',
}

beforeAll(() => {
  mkdirSync(join(folder, 'apis'))
  mkdirSync(join(folder, 'lint'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  writeFileSync(join(folder, 'apis', 'a.yaml'), head() + paths('{ type: array }'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const svc = (line: string, { cwd = folder, stdin }: { cwd?: string; stdin?: string } = {}) =>
  runCommand(line.split(' '), registry, {
    cwd,
    env: { SVC_WORKSPACE: join(folder, '.svc') },
    ...(stdin === undefined ? {} : { stdin }),
  })

interface Graded {
  readonly letter: string
  readonly score: number
}

test('lint and preflight give one document one grade, and --min-grade judges by it', async () => {
  const seen: unknown[] = []
  for (const file of Object.keys(files)) {
    const linted = await svc(`lint ${file} --json --fail-on none --min-grade A`)
    const { summary } = JSON.parse(linted.stdout) as { summary: { grade: Graded | null } }
    const checked = await svc(`import preflight ${file} --json --min-grade A`)
    const { data } = JSON.parse(checked.stdout) as { data: { grade: { grade: string | null; score: number | null } } }
    const { letter, score } = summary.grade ?? { letter: null, score: null }
    expect([file, data.grade.grade, data.grade.score]).toEqual([file, letter, score])
    seen.push([file, letter, score, linted.exit])
  }
  expect(seen).toEqual([
    ['good.yaml', 'A', 100, 0],
    ['broken.yaml', 'B', 85, 4],
    ['structure.yaml', 'B', 85, 4],
    ['missing.yaml', 'B', 85, 4],
    ['text.yaml', 'F', 0, 6],
    ['unknown.yaml', null, null, 5],
  ])
})

test('an import with --min-grade stores nothing where a reference is broken', async () => {
  const { exit, stdout } = await svc('import openapi broken.yaml --min-grade A --json')
  const { data } = JSON.parse(stdout) as { data: { result: unknown; lint: { grade: string } | null } }
  expect([exit, data.result, data.lint?.grade]).toEqual([4, null, 'B'])
})

test('a baseline accepts its findings from every folder and for every name of the file', async () => {
  expect((await svc('lint apis/a.yaml --write-baseline lint/base.json')).exit).toBe(0)
  const accepted = async (line: string, more: { cwd?: string; stdin?: string } = {}) => {
    const { exit, stdout } = await svc(`${line} --fail-on-new --json`, more)
    const { findings } = JSON.parse(stdout) as { findings: unknown[] }
    return [exit, findings.length]
  }
  const text = head() + paths('{ type: array }')
  expect(await accepted('lint apis/a.yaml --baseline lint/base.json')).toEqual([0, 0])
  expect(await accepted('lint ./apis/a.yaml --baseline ./lint/base.json')).toEqual([0, 0])
  expect(await accepted(`lint ${join(folder, 'apis', 'a.yaml')} --baseline lint/base.json`)).toEqual([0, 0])
  expect(await accepted('lint apis --baseline lint/base.json')).toEqual([0, 0])
  const below = { cwd: join(folder, 'apis') }
  expect(await accepted('lint a.yaml --baseline ../lint/base.json', below)).toEqual([0, 0])
  const piped = 'lint - --stdin-filepath apis/a.yaml --baseline lint/base.json'
  expect(await accepted(piped, { stdin: text })).toEqual([0, 0])
  expect(await accepted(piped, { stdin: `# moved\n\n${text}` })).toEqual([0, 0])
  expect(await accepted('lint - --baseline lint/base.json', { stdin: text })).toEqual([4, 1])
  expect(await accepted('lint structure.yaml --baseline lint/base.json')).toEqual([4, 1])
})

test('reports for machines name a file alike, however the command line writes it', async () => {
  const uris = async (name: string) => {
    const { stdout } = await svc(`lint ${name} --format sarif`)
    const [run] = (JSON.parse(stdout) as { runs: { results: Record<string, unknown>[] }[] }).runs
    return (run?.results ?? []).map(({ locations, partialFingerprints }) =>
      JSON.stringify([locations, partialFingerprints]),
    )
  }
  const plain = await uris('apis/a.yaml')
  expect(plain.map((it) => /"uri":"([^"]*)"/.exec(it)?.[1])).toEqual(['apis/a.yaml'])
  expect(await uris('./apis/a.yaml')).toEqual(plain)
  expect(await uris(join(folder, 'apis/a.yaml'))).toEqual(plain)
  const { stdout } = await svc(`lint ${join(folder, 'apis/a.yaml')} --format gitlab`)
  expect((JSON.parse(stdout) as { location: { path: string } }[]).map((it) => it.location.path)).toEqual([
    'apis/a.yaml',
  ])
})

test('a document of standard input is named with --stdin-filepath', async () => {
  const text = head() + paths(`{ $ref: './a.yaml#/info' }`)
  const found = async (line: string) => {
    const { stdout } = await svc(`${line} --json`, { stdin: text })
    return (JSON.parse(stdout) as { findings: { code: string; source: string }[] }).findings.map(
      (it) => `${it.source} ${it.code}`,
    )
  }
  expect(await found('lint - --stdin-filepath apis/b.yaml')).toEqual([])
  expect(await found('lint -')).toEqual(['- invalid-ref'])
  expect(await found('lint - --stdin-filepath ./b.yaml')).toEqual(['./b.yaml invalid-ref'])
  const refused = async (line: string) => (await svc(line, { stdin: text })).stderr.split('\n')[0]
  expect(await refused('lint apis/a.yaml --stdin-filepath b.yaml')).toBe(
    'error: --stdin-filepath names the document of standard input: also give "-"',
  )
  expect(await refused('lint - --stdin-filepath apis/a.yaml --fix')).toBe(
    'error: --fix cannot be used with standard input',
  )
})
