/** What a gate answers where it could open by accident. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '../../../cli/registry.gen.ts'
import { runCommand } from '../../fixtures/run-command.ts'

const top = mkdtempSync(join(tmpdir(), 'svc-gates-'))
afterAll(() => rmSync(top, { recursive: true, force: true }))

const run = (line: string, env: Readonly<Record<string, string>> = {}) =>
  runCommand(line.split(' '), registry, { env: { SVC_WORKSPACE: join(top, 'ws'), ...env }, cwd: top })

const api = (version: string, ...operations: readonly string[]): string =>
  [
    'openapi: 3.1.0',
    `info: {title: T, version: ${JSON.stringify(version)}}`,
    'paths:',
    '  /pets:',
    ...operations.map((it) => `    ${it}, responses: {"200": {description: ok}}}`),
    '',
  ].join('\n')
const get = 'get: {operationId: listPets, tags: [a, b]'
const post = 'post: {deprecated: true, x-sunset: "2026-12-01"'

beforeAll(() => {
  const files: Readonly<Record<string, string>> = {
    'a.yaml': api('1.0.0', get, post),
    'b.yaml': api('1.1.0', 'get: {operationId: listPets, tags: [b, c]'),
    'words.yaml': api('1.0.1', get, post.replace('{', '{summary: Adds, ')),
    'wide.yaml': api('1.0.0', get, post, 'put: {summary: New'),
    'typo.yaml': api('1.0.0', get).replace('openapi', 'opnapi'),
    'many.yaml': `${api('1.0.0', get)}---\n${api('2.0.0', get)}`,
    'package.json': '{"name":"x","version":"1.0.0","dependencies":{"a":"1"}}',
    'async.yaml': 'asyncapi: 3.0.0\nchannels: {}\n',
    'note.txt': 'hello',
    'label.yaml': api('2026-01-31', get, post, 'put: {summary: New'),
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(top, name), text)
})

describe('a gate', () => {
  test('knows one meaning of --mode for API descriptions, and refuses the others', async () => {
    expect((await run('breaking a.yaml b.yaml --mode backward')).exit).toBe(4)
    expect((await run('breaking a.yaml b.yaml --mode backward-transitive --earlier wide.yaml')).exit).toBe(4)
    for (const mode of ['forward', 'full', 'forward-transitive', 'full-transitive']) {
      const { exit, stdout, stderr } = await run(`breaking a.yaml b.yaml --mode ${mode}`)
      expect({ mode, exit, stdout }).toEqual({ mode, exit: 2, stdout: '' })
      expect(stderr).toContain('is for JSON Schemas')
    }
  })

  test('refuses what is no API description, on either side', async () => {
    for (const name of ['typo.yaml', 'package.json', 'async.yaml', 'note.txt', 'many.yaml'])
      for (const line of [
        `breaking ${name} ${name}`,
        `breaking a.yaml ${name}`,
        `breaking ${name} a.yaml`,
        `diff ${name} ${name} --mode backward`,
      ]) {
        const { exit, stdout, stderr } = await run(line)
        expect({ line, exit, stdout }).toEqual({ line, exit: 6, stdout: '' })
        expect(stderr).toContain(name)
      }
  })

  test('takes calendar dates alone', async () => {
    expect((await run('breaking a.yaml b.yaml --as-of 2026-11-30')).exit).toBe(4)
    expect((await run('breaking a.yaml b.yaml --as-of 2026-12-01')).exit).toBe(0)
    for (const day of ['tomorrow', '2026-02-31', '01/01/2027', '2027', '2027-1-1', '99999-01-01']) {
      const { exit, stderr } = await run(`breaking a.yaml b.yaml --as-of ${day}`)
      expect({ day, exit }).toEqual({ day, exit: 2 })
      expect(stderr).toContain(`--as-of takes a calendar date such as 2026-01-31, not "${day}"`)
    }
  })

  test('tells five outcomes apart, by the exit code and in the summary', async () => {
    const told = async (line: string) => {
      const { exit, stdout } = await run(`${line} --format json`)
      const { summary } = JSON.parse(stdout) as { summary: { outcome: string } }
      return `${exit} ${summary.outcome}`
    }
    writeFileSync(join(top, 's1.json'), '{"type":"string","pattern":"^(a+)+\\\\1$"}')
    writeFileSync(join(top, 's2.json'), '{"type":"string","pattern":"^(a+)+\\\\1b?$"}')
    expect([
      await told('diff a.yaml a.yaml --exit-code'),
      await told('diff a.yaml words.yaml --exit-code'),
      await told('diff a.yaml wide.yaml --exit-code'),
      await told('diff s1.json s2.json --exit-code'),
      await told('diff a.yaml b.yaml --exit-code --as-of 2026-11-30'),
    ]).toEqual(['0 unchanged', '10 docs-only', '11 compatible', '12 undecided', '13 breaking'])
    expect((await run('diff a.yaml b.yaml --exit-code --fail-on breaking')).exit).toBe(2)
  })

  test('says what a filter left out, and refuses one that fits nothing', async () => {
    const { exit, stdout } = await run('breaking a.yaml b.yaml --operation listPets --as-of 2026-11-30')
    expect([exit, stdout]).toEqual([
      0,
      `1 change, none of them breaking (1 of 2 operations): a.yaml → b.yaml

GET /pets
  non-breaking  GET /pets: tags added: c; tags removed: a  b.yaml:5

The whole document
  docs-only     The \`version\` of the document was changed  b.yaml:2

0 breaking, 1 non-breaking, 1 documentation only. The change is backward compatible. The filters leave out 1 change of other operations, 1 of them breaking or undecided.
`,
    ])
    for (const filter of ['--match-path /pet', '--operation PUT', '--tag z', '--match-path ^(', '--match-path /x/**'])
      expect({ filter, exit: (await run(`breaking a.yaml b.yaml ${filter}`)).exit }).toEqual({ filter, exit: 2 })
    const json = await run('diff a.yaml b.yaml --match-path /pets --tag c --json')
    const { summary } = JSON.parse(json.stdout) as { summary: { scope: unknown } }
    expect(summary.scope).toEqual({
      paths: ['/pets'],
      operations: [],
      tags: ['c'],
      selected: 1,
      total: 2,
      leftOut: { counts: { breaking: 1, 'non-breaking': 0, 'docs-only': 0 }, maxSeverity: 'breaking' },
    })
  })

  test('fails where the version of the head understates the change', async () => {
    const checked = async (line: string) => {
      const { exit, stderr } = await run(`diff ${line} --check-version`)
      return [exit, stderr.trim()]
    }
    expect(await checked('a.yaml words.yaml')).toEqual([0, ''])
    expect(await checked('a.yaml wide.yaml')).toEqual([
      4,
      'error: info.version 1.0.0 understates the change from 1.0.0; use 1.1.0 or a later version.',
    ])
    expect(await checked('a.yaml b.yaml --as-of 2026-11-30')).toEqual([
      4,
      'error: info.version 1.1.0 understates the change from 1.0.0; use 2.0.0 or a later version.',
    ])
    expect(await checked('a.yaml label.yaml')).toEqual([
      4,
      'error: --check-version needs semantic versions in info.version: the base has 1.0.0, the head 2026-01-31.',
    ])
  })

  test('names the smallest version that would do', async () => {
    const next = async (line: string) => {
      const { exit, stdout } = await run(`version next ${line}`)
      return `${exit} ${stdout}`.trim()
    }
    expect([
      await next('a.yaml a.yaml'),
      await next('a.yaml words.yaml'),
      await next('a.yaml wide.yaml'),
      await next('a.yaml b.yaml --as-of 2026-11-30'),
      await next('label.yaml a.yaml'),
      await next('note.txt a.yaml'),
      await next('nothing a.yaml'),
    ]).toEqual(['0 1.0.0', '0 1.0.1', '0 1.1.0', '0 2.0.0', '6', '6', '2'])
    const { data } = JSON.parse((await run('version next a.yaml wide.yaml --json')).stdout) as { data: unknown }
    expect(data).toEqual({
      base: 'a.yaml',
      head: 'wide.yaml',
      current: '1.0.0',
      next: '1.1.0',
      step: 'minor',
      outcome: 'compatible',
    })
  })

  test('forgives a missing base of any kind, and never a missing head', async () => {
    for (const base of ['none.yaml', 'none@1.0.0', 'nowhere/none.yaml']) {
      const { exit, stdout, stderr } = await run(`breaking ${base} b.yaml --allow-missing-base`)
      expect({ base, exit }).toEqual({ base, exit: 0 })
      expect(stdout).toContain('GET /pets was added')
      expect(stderr).toContain(`${base} does not exist: b.yaml is compared with nothing.`)
      expect((await run(`breaking ${base} b.yaml`)).exit).toBe(2)
      expect((await run(`breaking a.yaml ${base} --allow-missing-base`)).exit).toBe(2)
    }
    expect((await run('breaking note.txt b.yaml --allow-missing-base')).exit).toBe(6)
  })
})

describe('a process', () => {
  const main = join(import.meta.dir, '../../../cli/main.ts')
  const shell = async (script: string): Promise<string> => {
    const child = Bun.spawn(['bash', '-c', script], {
      cwd: top,
      env: { ...process.env, SVC: `${process.execPath} ${main}`, NO_COLOR: '1' },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    return (await new Response(child.stdout).text()).trim()
  }

  test('keeps its exit code where nobody reads the answer to its end', async () => {
    const big = JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'T', version: '1' },
      paths: Object.fromEntries(
        Array.from({ length: 700 }, (_, at) => [`/p${at}`, { get: { responses: { '200': { description: 'ok' } } } }]),
      ),
    })
    writeFileSync(join(top, 'big.json'), big)
    writeFileSync(join(top, 'less.json'), JSON.stringify({ ...(JSON.parse(big) as object), paths: {} }))
    for (const format of ['text', 'json', 'sarif'])
      expect(
        await shell(`$SVC breaking big.json less.json --format ${format} | head -1 >/dev/null; echo \${PIPESTATUS[0]}`),
      ).toBe('4')
    for (const format of ['json', 'text'])
      expect(
        await shell(
          `$SVC lint big.json --fail-on warning --format ${format} | head -1 >/dev/null; echo \${PIPESTATUS[0]}`,
        ),
      ).toBe('4')
  }, 180_000)

  test.skipIf(!existsSync('/dev/full'))(
    'says that the answer cannot be written',
    async () => {
      for (const line of ['diff a.yaml b.yaml', 'lint a.yaml --format json', 'diff a.yaml b.yaml --json'])
        expect(await shell(`$SVC ${line} 2>&1 >/dev/full; echo $?`)).toBe(
          'error: Standard output cannot be written: no space is left on the device (ENOSPC).\nhint: Free some disk space, or write to another file.\n(output-failed; svc explain output-failed)\n1',
        )
    },
    60_000,
  )

  test('ends at once on a signal, whatever it computes', async () => {
    writeFileSync(join(top, 'huge.json'), JSON.stringify(hugeSchema()))
    for (const [signal, code] of [
      ['INT', '130'],
      ['TERM', '143'],
    ] as const)
      expect(
        await shell(`$SVC lint huge.json >/dev/null & p=$!; sleep 1.5; kill -${signal} $p; wait $p; echo $?`),
      ).toBe(code)
  }, 60_000)
})

/** A document that takes seconds to lint. */
const hugeSchema = (): object => ({
  openapi: '3.1.0',
  info: { title: 'T', version: '1' },
  paths: Object.fromEntries(
    Array.from({ length: 60_000 }, (_, at) => [
      `/p${at}/{id}`,
      {
        get: {
          operationId: `op${at}`,
          responses: { '200': { description: 'ok', content: { 'application/json': { schema: { type: 'object' } } } } },
        },
      },
    ]),
  ),
})
