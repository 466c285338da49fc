import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import manifest from '../../package.json'

const main = join(import.meta.dir, '../../cli/main.ts')

const svc = (argv: readonly string[], env: Record<string, string> = {}) =>
  Bun.spawn([process.execPath, main, ...argv], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdout: 'pipe',
    stderr: 'pipe',
    stdin: 'ignore',
  })

const outcome = async (argv: readonly string[], env: Record<string, string> = {}) => {
  const child = svc(argv, env)
  const [stdout, stderr, exit] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { exit, stdout, stderr }
}

test('--version is the version of the package', async () => {
  expect(await outcome(['--version'])).toEqual({ exit: 0, stdout: `svc ${manifest.version}\n`, stderr: '' })
})

test('help goes to stdout when asked for, and to stderr when nothing was', async () => {
  const help = await outcome(['--help'])
  expect(help).toMatchObject({ exit: 0, stderr: '' })
  expect(help.stdout).toContain('explain')
  expect(await outcome([])).toEqual({ exit: 2, stdout: '', stderr: help.stdout })
})

test('colour only where it is asked for or a terminal reads', async () => {
  expect((await outcome(['explan'])).stderr).not.toContain('\u001b')
  expect((await outcome(['explan'], { FORCE_COLOR: '1' })).stderr).toContain('\u001b[31merror:')
})

test('a reader of standard output that ends early is no failure, and does not hide the result', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-main-'))
  folders.push(folder)
  writeFileSync(join(folder, 'api.yaml'), 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\npaths: { pets: {} }\n')
  const exitOf = async (line: string): Promise<string> => {
    const child = Bun.spawn(['sh', '-c', `"$0" "$1" ${line}; echo "exit $?" >&2`, process.execPath, main], {
      cwd: folder,
      stdout: 'pipe',
      stderr: 'pipe',
    })
    await child.stdout.cancel()
    return new Response(child.stderr).text()
  }
  expect(await exitOf('explain --json')).toBe('exit 0\n')
  for (const format of ['text', 'json', 'sarif'])
    expect(await exitOf(`lint api.yaml --format ${format}`)).toBe('exit 4\n')
})

// The first line on stderr or stdout says that the program is where the signal shall meet it.
const waitFor = async (stream: ReadableStream<Uint8Array>, text: string): Promise<void> => {
  const decoder = new TextDecoder()
  let seen = ''
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
    seen += decoder.decode(chunk, { stream: true })
    if (seen.includes(text)) return
  }
  throw new Error(`It ended before it said "${text}": ${seen}`)
}

const startIn = async (argv: readonly string[], stdin: 'pipe' | 'ignore') => {
  const home = mkdtempSync(join(tmpdir(), 'svc-main-'))
  folders.push(home)
  return Bun.spawn([process.execPath, main, ...argv], {
    env: { PATH: process.env.PATH ?? '', HOME: home, SVC_WORKSPACE: join(home, 'workspace') },
    stdin,
    stdout: 'pipe',
    stderr: 'pipe',
  })
}

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

test('SIGINT ends a waiting command with 130 and no words', async () => {
  const child = await startIn(['lint', '-'], 'pipe')
  // More than a pipe holds: once it is written, the command is reading, and its handler of the signal stands.
  if (typeof child.stdin !== 'object') throw new Error('There is no standard input.')
  void child.stdin.write(' '.repeat(2_000_000))
  await child.stdin.flush()
  child.kill('SIGINT')
  expect(await child.exited).toBe(130)
  expect(await new Response(child.stdout).text()).toBe('')
  expect(await new Response(child.stderr).text()).toBe('')
})

test('SIGTERM drains a server, which ends with 0', async () => {
  const child = await startIn(['serve', '--port', '0'], 'ignore')
  await waitFor(child.stdout, 'Ctrl-C')
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
})
