import { expect, test } from 'bun:test'
import { readsMuch, settleCompiler } from '../../cli/compiler-settings.ts'

const sizes: Readonly<Record<string, number | 'folder'>> = {
  'small.yaml': 60_000,
  'large.yaml': 4_000_000,
  apis: 'folder',
}
const sizeOf = (path: string): number | 'folder' | null => sizes[path] ?? null

test('commands that name a large file or a folder, and checks of a project, read much', () => {
  const lines = [
    'lint small.yaml',
    'lint large.yaml --json',
    'lint apis',
    'diff small.yaml large.yaml',
    'diff small.yaml missing.yaml',
    'lint --guide=large.yaml small.yaml',
    'lint --watch large.yaml',
    'check',
    'serve apis',
    'lsp large.yaml',
    'large.yaml',
    '',
  ]
  const much = lines.filter((line) => readsMuch(line === '' ? [] : line.split(' '), sizeOf))
  expect(much).toEqual(['lint large.yaml --json', 'lint apis', 'diff small.yaml large.yaml', 'check'])
})

test('files are looked at on the disk, and what cannot be looked at reads little', () => {
  expect(readsMuch(['lint', import.meta.dir])).toBeTrue()
  expect(readsMuch(['lint', import.meta.path])).toBeFalse()
  expect(readsMuch(['lint', 'a\0b', 'https://example.com/openapi.json', 'x'.repeat(10_000)])).toBeFalse()
})

/** What replaces the process for `argv`: its arguments with what was set; null where nothing does. */
function replacement(argv: readonly string[], env: NodeJS.ProcessEnv, isStandaloneExecutable = true) {
  const calls: unknown[] = []
  const execve = ((...call: unknown[]) => void calls.push(call)) as () => never
  const postpone = (scale: number): void => void calls.push(scale)
  settleCompiler(argv, { isStandaloneExecutable, env, execPath: '/bin/svc', argv0: 'svc', execve, postpone }, sizeOf)
  return calls
}

const set = { BUN_JSC_useFTLJIT: '0', BUN_JSC_thresholdForOptimizeAfterWarmUp: '2000' }

test('the same command line starts again, once, with the settings and all other variables', () => {
  const env = { HOME: '/home/me' }
  expect(replacement(['lint', 'large.yaml'], env)).toEqual([
    ['/bin/svc', ['svc', 'lint', 'large.yaml'], { HOME: '/home/me', ...set }],
  ])
  expect(env).toEqual({ HOME: '/home/me' })
})

test('the process that was started again does not start again, and its children do not get the settings', () => {
  const env = { HOME: '/home/me', ...set }
  expect(replacement(['lint', 'large.yaml'], env)).toEqual([])
  expect(env).toEqual({ HOME: '/home/me' } as never)
})

test('nothing starts again for small documents, in a program that is not the executable, and where the system cannot', () => {
  expect(replacement(['lint', 'small.yaml'], {})).toEqual([16])
  expect(replacement(['lint', 'large.yaml'], {}, false)).toEqual([])
  const bare = { isStandaloneExecutable: true, env: {}, execPath: '/bin/svc', argv0: 'svc', postpone: () => {} }
  expect(() => settleCompiler(['lint', 'large.yaml'], bare, sizeOf)).not.toThrow()
})

test('the compilers wait where a command reads little, and not where it may last or reads what nobody knows the size of', () => {
  const waiting = ['mcp --design', 'lint small.yaml', 'project list', 'diff small.yaml missing.yaml', '']
  const others = [
    'serve',
    'lsp',
    'gateway agent',
    'import tree',
    'webhooks listen',
    'lint - --json',
    'lint --watch small.yaml',
  ]
  for (const [lines, calls] of [
    [waiting, [16]],
    [others, []],
  ] as const)
    for (const line of lines) expect([line, replacement(line.split(' '), {})]).toEqual([line, [...calls]])
  expect(replacement(['lint', 'small.yaml'], {}, false)).toEqual([])
  expect(replacement(['lint', 'small.yaml'], { ...set })).toEqual([])
  expect(replacement(['check'], { ...set })).toEqual([16])
})
