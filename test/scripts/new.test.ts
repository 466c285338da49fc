/** What `npm run new` writes is wired, runs, and fails only in the test that says so. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isFull } from '../fixtures/extent.ts'

const root = join(import.meta.dir, '../..')
let copy: string

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'svc-new-'))
  for (const name of [
    'cli',
    'commands',
    'db',
    'mcp',
    'scripts',
    'server',
    'src',
    'templates',
    'test',
    'web',
    'docs',
    'bench',
  ])
    cpSync(join(root, name), join(copy, name), { recursive: true })
  for (const name of [
    'package.json',
    'package-lock.json',
    'README.md',
    'ARCHITECTURE.md',
    'bunfig.toml',
    'tsconfig.json',
    '.oxlintrc.json',
    'build.ts',
    'rooms.json',
  ])
    cpSync(join(root, name), join(copy, name))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

const bun = async (...argv: string[]): Promise<{ exit: number; said: string }> => {
  const child = Bun.spawn([process.execPath, ...argv], {
    cwd: copy,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: copy,
      ...(process.env.TEST_DATABASE_URL ? { TEST_DATABASE_URL: process.env.TEST_DATABASE_URL } : {}),
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr, exit] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { exit, said: stdout + stderr }
}
/** Files that were written, and those that got a line. */
const made = new Set<string>()
const make = async (...words: string[]) => {
  const outcome = await bun('scripts/new.ts', ...words)
  for (const [, path = ''] of outcome.said.matchAll(/^(?:created|changed) +(\S+)$/gm)) made.add(path)
  return outcome
}
const generate = () => bun('scripts/gen.ts')
const read = (path: string): string => readFileSync(join(copy, path), 'utf8')

test('a lint rule is registered, its examples hold, and its own test fails', async () => {
  expect(await make('rule', 'info-motto')).toEqual({
    exit: 0,
    said: [
      'created  src/lint/rules/info-motto.ts',
      'created  test/src/lint/info-motto.test.ts',
      'next     npm run gen',
      'next     npm test -- test/src/lint/info-motto.test.ts test/src/lint/help.test.ts',
      '',
    ].join('\n'),
  })
  expect(await generate()).toMatchObject({ exit: 0 })
  expect(read('src/lint/rules.gen.ts')).toContain("'info-motto'")
  const help = await bun('test', 'test/src/lint/help.test.ts', '-t', 'info-motto')
  expect([help.exit, / 1 pass/.test(help.said)]).toEqual([0, true])
  const own = await bun('test', 'test/src/lint/info-motto.test.ts')
  expect(own.exit).toBe(1)
  expect(own.said).toContain('Info must have "x-info-motto".')
}, 60_000)

test('a command runs, and its golden fails', async () => {
  expect((await make('command', 'motto archive')).exit).toBe(0)
  expect(await generate()).toMatchObject({ exit: 0 })
  expect(await bun('cli/main.ts', 'motto', 'archive', 'petstore')).toEqual({ exit: 0, said: 'petstore\n' })
  expect((await bun('cli/main.ts', 'motto', '--help')).said).toContain('Manage mottos')
  const golden = await bun('test/golden/run.ts', 'motto-archive')
  expect(golden.exit).toBe(1)
  expect(golden.said).toContain('+ petstore')
}, 60_000)

test('an operation is declared, routed and answered, in a feature that is there or new, and its test fails', async () => {
  for (const name of ['projects.count-all', 'mottos.list']) {
    const [feature = '', operation = ''] = name.split('.')
    expect((await make('endpoint', name)).exit).toBe(0)
    expect(await generate()).toMatchObject({ exit: 0 })
    const ran = await bun('test', `test/server/${feature}/${operation}.test.ts`)
    expect(ran.exit).toBe(1)
    expect(ran.said).toContain('+   "total": 0')
  }
  expect(read('src/api/contracts.gen.ts')).toContain('mottosApi')
}, 120_000)

test('a command of one call is a row of its noun, which is there or new', async () => {
  expect((await make('endpoint', 'mottos.count')).exit).toBe(0)
  expect((await make('command', 'motto count', 'mottos.count')).said).toContain('changed  commands/motto/index.ts')
  expect((await make('command', 'saying count', 'mottos.count')).said).toContain('created  commands/saying/index.ts')
  expect((await make('command', 'thread count', 'mottos.count')).said).toContain('changed  commands/thread/index.ts')
  expect(await make('command', 'motto sing', 'mottos.sing')).toEqual({
    exit: 2,
    said: 'src/api declares no operation with the id "mottos.sing".\n',
  })
  expect(await generate()).toMatchObject({ exit: 0 })
  for (const noun of ['motto', 'saying', 'thread'])
    expect(await bun('cli/main.ts', noun, 'count')).toEqual({ exit: 0, said: '{"total":0}\n' })
}, 60_000)

test('a page is in the routes of its feature, and a new feature in the router', async () => {
  for (const name of ['audit/exports', 'projects/archive', 'mottos/mottos'])
    expect((await make('page', name)).exit).toBe(0)
  expect(read('web/src/router.tsx')).toContain('...mottosRoutes,')
  expect(read('web/src/features/audit/routes.tsx')).toContain(
    'export const auditRoutes = [auditRoute, exportsRoute] as const',
  )
  expect(read('web/src/features/projects/routes.tsx')).toContain('archiveRoute')
  expect(read('test/fixtures/web/application-routes.ts')).toContain("  ['/app/t/acme/-/mottos', 'Mottos'],")
  const bundled = await Bun.build({ entrypoints: [join(copy, 'web/src/router.tsx')], target: 'browser' })
  expect(bundled.success).toBe(true)
  const text = await bundled.outputs[0]?.text()
  for (const path of ['/-/audit/exports', '/-/projects/archive', '/-/mottos'])
    expect(text).toContain(`"/t/$tenant${path}"`)
}, 60_000)

/** The files that were written, without tests. */
const placesOf = (said: string): string[] =>
  [...said.matchAll(/^(created|changed) +(\S+)$/gm)]
    .map(([, how = '', path = '']) => `${how} ${path}`)
    .filter((it) => !it.includes(' test/'))

test('an event is declared in one place, and its test fails until its body is stated', async () => {
  const ofGroup = await make('event', 'version.archived')
  expect([ofGroup.exit, placesOf(ofGroup.said)]).toEqual([0, ['changed src/api/events/versions.ts']])
  const fresh = await make('event', 'motto.sung_twice')
  expect([fresh.exit, placesOf(fresh.said)]).toEqual([
    0,
    ['created src/api/events/mottos.ts', 'changed src/api/webhook-events.ts'],
  ])
  expect(await make('event', 'version.archived')).toMatchObject({ exit: 2 })
  for (const name of ['version-archived', 'motto-sung-twice']) {
    const ran = await bun('test', `test/server/webhooks/${name}.test.ts`)
    expect(ran.exit).toBe(1)
    expect(ran.said).toContain('+     "subject_id": "3",')
  }
  expect(await generate()).toMatchObject({ exit: 0 })
  const described = await bun('-e', "console.log((await import('./server/outbox/readers.ts')).readerTypes.webhooks)")
  expect(described.said).toContain('"version.archived"')
  expect(described.said).toContain('"motto.sung_twice"')
}, 60_000)

test('an engine is one record and its place in the list, and its test fails until its commands are stated', async () => {
  const made = await make('engine', 'motto-proxy')
  expect([made.exit, placesOf(made.said)]).toEqual([
    0,
    ['created src/gateway/engines/motto-proxy.ts', 'changed src/gateway/engines/index.ts'],
  ])
  expect(await generate()).toMatchObject({ exit: 0 })
  const help = await bun('cli/main.ts', 'gateway', 'enforcer', 'create', '--help')
  expect(help.said).toContain('motto-proxy')
  const ran = await bun('test', 'test/src/gateway/engines/motto-proxy.test.ts')
  expect(ran.exit).toBe(1)
  expect(ran.said).toContain('+   "reload": null,')
}, 60_000)

test('an import format is one file and its command, and its test fails until it reads operations', async () => {
  const made = await make('import-format', 'motto-list')
  expect([made.exit, placesOf(made.said)]).toEqual([
    0,
    ['created src/import/formats/motto-list.ts', 'changed commands/import/index.ts'],
  ])
  expect(await generate()).toMatchObject({ exit: 0 })
  expect((await bun('cli/main.ts', 'import', '--list')).said).toContain('Motto list documents, JSON or YAML')
  expect((await bun('cli/main.ts', 'import', 'motto-list', '--help')).said).toContain('svc import motto-list api.yaml')
  const ran = await bun('test', 'test/src/import/formats/motto-list.test.ts')
  expect(ran.exit).toBe(1)
  expect(ran.said).toContain('-     "GET /pets",')
  expect(ran.said).toContain('"name": "Pets"')
}, 60_000)

test('a table is one file, is in every database, and its test fails until it says what a row has', async () => {
  const made = await make('table', 'motto-lines')
  expect([made.exit, placesOf(made.said)]).toEqual([0, ['created db/tables/motto-lines.ts']])
  expect(await generate()).toMatchObject({ exit: 0 })
  expect(read('db/tables.gen.ts')).toContain('motto-lines')
  const ran = await bun('test', 'test/db/motto-lines.test.ts')
  expect(ran.exit).toBe(1)
  expect(ran.said).toContain('+       "name": "first",')
  expect(await bun('test', 'test/db/tables.test.ts')).toMatchObject({ exit: 0 })
}, 120_000)

test('what was written has the style of the rest', async () => {
  const written = [...made].filter((path) => /\.tsx?$/.test(path))
  expect(written.length).toBeGreaterThan(10)
  const lint = await bun('node_modules/oxlint/bin/oxlint', ...written)
  expect([lint.exit, lint.said.includes('Found 0 warnings and 0 errors.')]).toEqual([0, true])
})

// The whole checkout once more: a minute of two cores.
if (isFull)
  test('what was written has the types of the rest', async () => {
    expect(await bun('node_modules/typescript/bin/tsc', '--noEmit')).toEqual({ exit: 0, said: '' })
    const folders = ['src/lint', 'src/api', 'src/gateway', 'src/import', 'db', 'commands', 'server', 'web']
    const lint = await bun('node_modules/oxlint/bin/oxlint', '--type-aware', ...folders)
    expect([lint.exit, lint.said.includes('Found 0 warnings and 0 errors.')]).toEqual([0, true])
  }, 240_000)

test('nothing is overwritten, and bad names are refused', async () => {
  writeFileSync(join(copy, 'src/lint/rules/info-kept.ts'), 'kept')
  expect(await make('rule', 'info-kept')).toEqual({ exit: 2, said: 'Already there: src/lint/rules/info-kept.ts\n' })
  expect(read('src/lint/rules/info-kept.ts')).toBe('kept')
  expect(existsSync(join(copy, 'test/src/lint/info-kept.test.ts'))).toBe(false)
  for (const [kind, name] of [
    ['rule', 'InfoMotto'],
    ['rule', '../x'],
    ['endpoint', 'projects'],
    ['page', 'a/b/c'],
    ['table', 'Notes'],
    ['event', 'archived'],
    ['engine', 'Motto'],
    ['import-format', '../x'],
    ['motto', 'x'],
  ] as const)
    expect((await make(kind, name)).exit).toBe(2)
})
