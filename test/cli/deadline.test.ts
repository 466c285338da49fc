/** Documents and rulesets that keep a program busy, or fill its memory: the run ends in time, and says what to do. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const main = join(import.meta.dir, '../../cli/main.ts')
const folder = mkdtempSync(join(tmpdir(), 'svc-deadline-'))
afterAll(() => rmSync(folder, { recursive: true }))

const write = (name: string, value: unknown): void =>
  writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value))

const info = { title: 'T', version: '1' }

/** A description with this many schemas. Each refers to several others. */
const woven = (count: number, type: string): object => {
  const schemas = Array.from({ length: count }, (_, at) => {
    const others = [1, 7, 31].map((step) => ({ $ref: `#/components/schemas/S${(at * 3 + step) % count}` }))
    return [`S${at}`, { type: 'object', properties: { own: { type, maxLength: at }, a: { oneOf: others } } }]
  })
  const response = {
    description: 'D',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } },
  }
  const paths = Array.from({ length: count }, (_, at) => [`/p${at}`, { get: { responses: { '200': response } } }])
  return {
    openapi: '3.1.0',
    info,
    paths: Object.fromEntries(paths),
    components: { schemas: Object.fromEntries(schemas) },
  }
}

beforeAll(() => {
  write('old.json', woven(6000, 'string'))
  write('new.json', woven(6000, 'integer'))
  write('small.yaml', 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\npaths: {}\n')
  mkdirSync(join(folder, 'functions'))
  write('functions/endless.js', 'module.exports = () => { for (;;) {} }\n')
  const rule = { given: '$', severity: 'error', then: { function: 'endless' } }
  write('endless.json', { functions: ['endless'], rules: { endless: rule } })
  write(
    'functions/greedy.js',
    'module.exports = () => { const all = []; for (;;) all.push(new Array(1000).fill(all.length)) }\n',
  )
  const greedy = { given: '$', severity: 'error', then: { function: 'greedy' } }
  write('greedy.json', { functions: ['greedy'], rules: { greedy } })
})

async function svc(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = Bun.spawn([process.execPath, main, ...argv], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, SVC_WORKSPACE: join(folder, 'w'), ...env },
    stdout: 'pipe',
    stderr: 'pipe',
    stdin: 'ignore',
  })
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  return { exit: await child.exited, stdout, stderr }
}

const hint = 'If you trust it, allow more with --deadline TIME or --max-memory MB.'
const told = (what: string, reason: string): string =>
  `error: ${what} was stopped: ${reason}.\nhint: The document may be an attack. ${hint}\n(run-stopped; svc explain run-stopped)\n`

const endless = ['lint', 'small.yaml', '--guide', 'endless.json', '--allow-functions', '--no-cache']

test('a computation that never looks up ends at the deadline, with its document', async () => {
  expect(await svc([...endless, '--deadline', '1s'])).toEqual({
    exit: 6,
    stdout: '',
    stderr: told('The work on small.yaml', 'it took longer than 1s'),
  })
  expect(await svc(endless, { SVC_DEADLINE: '700ms' })).toEqual({
    exit: 6,
    stdout: '',
    stderr: told('The work on small.yaml', 'it took longer than 700ms'),
  })
})

test.each([
  [['watch', 'small.yaml', '--guide', 'endless.json', '--allow-functions'], 'The work on small.yaml'],
  [['import', 'preflight', 'small.yaml', '--guide', 'endless.json', '--allow-functions'], 'The work on small.yaml'],
  [
    ['import', 'openapi', 'small.yaml', '--guide', 'endless.json', '--allow-functions', '--min-grade', 'B'],
    'The work on small.yaml',
  ],
])('%j is under the deadline while it computes', async (argv, what) => {
  expect(await svc([...argv, '--deadline', '2s'])).toEqual({
    exit: 6,
    stdout: '',
    stderr: told(what, 'it took longer than 2s'),
  })
})

test('with --json, the failure is in the envelope', async () => {
  const { exit, stdout } = await svc([...endless, '--deadline', '1s', '--json'])
  expect(exit).toBe(6)
  expect(JSON.parse(stdout)).toEqual({
    schemaVersion: 1,
    command: 'lint',
    ok: false,
    exitCode: 6,
    summary: null,
    data: null,
    error: {
      code: 'run-stopped',
      message: 'The work on small.yaml was stopped: it took longer than 1s.',
      hint: `The document may be an attack. ${hint}`,
      docs: 'svc explain run-stopped',
      requestId: null,
      retryable: false,
    },
  })
})

test('what fills the memory is ended before the memory is full', async () => {
  const argv = [
    'lint',
    'small.yaml',
    '--guide',
    'greedy.json',
    '--allow-functions',
    '--no-cache',
    '--max-memory',
    '600',
  ]
  expect(await svc(argv)).toEqual({
    exit: 6,
    stdout: '',
    stderr: told('The work on small.yaml', 'it needed more than 600 MB of memory'),
  })
})

test.each<[argv: string[], ...whats: string[]]>([
  // A document of its own deadline is named; a command that ends before the first one is not that far.
  [['lint', 'old.json', '--no-cache'], 'The work on old.json', 'svc lint'],
  [['diff', 'old.json', 'new.json', '--no-cache'], 'svc diff'],
  [['breaking', 'old.json', 'new.json', '--no-cache'], 'svc breaking'],
  [['bundle', 'old.json', '-o', 'out.json'], 'svc bundle'],
  [['convert', 'old.json', '--to', 'openapi-3.0'], 'svc convert'],
  [['gateway', 'compile', 'old.json', '--engine', 'coraza', '-o', 'waf'], 'svc gateway compile'],
])('%j is under the deadline', async (argv, ...whats) => {
  const { exit, stdout, stderr } = await svc([...argv, '--deadline', '50ms'])
  expect([exit, stdout]).toEqual([6, ''])
  expect(whats.map((what) => told(what, 'it took longer than 50ms'))).toContain(stderr)
})

test('each document of a run has the whole time for itself', async () => {
  mkdirSync(join(folder, 'many'))
  for (let at = 0; at < 5; at++) write(`many/${at}.json`, woven(1, 'string'))
  write(
    'functions/slow.js',
    'module.exports = () => { const end = Date.now() + 1000; while (Date.now() < end); return [] }\n',
  )
  write('slow.json', { functions: ['slow'], rules: { slow: { given: '$', then: { function: 'slow' } } } })
  const argv = ['lint', 'many', '--guide', 'slow.json', '--allow-functions', '--no-cache', '--deadline', '4s']
  const began = performance.now()
  const { exit, stderr } = await svc(argv)
  expect([exit, stderr, performance.now() - began > 4000]).toEqual([0, '', true])
})
