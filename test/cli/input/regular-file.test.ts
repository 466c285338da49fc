import { afterAll, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assertBelow, readRegular, rootOf } from '../../../cli/input/regular-file.ts'
import { registry } from '../../../cli/registry.gen.ts'
import { runCommand } from '../../fixtures/run-command.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-regular-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const write = (name: string, text: string): void => {
  mkdirSync(join(folder, name, '..'), { recursive: true })
  writeFileSync(join(folder, name), text)
}

const refusal = (reading: Promise<unknown>): Promise<string> =>
  reading.then(
    () => 'read',
    (error: Error) => error.message,
  )

test('devices, pipes, sockets and what is too large are refused at once', async () => {
  spawnSync('mkfifo', [join(folder, 'pipe')])
  write('huge', '')
  truncateSync(join(folder, 'huge'), 10 * 1024 * 1024 * 1024)
  const server = createServer().listen(join(folder, 'socket'))
  await new Promise((resolve) => server.once('listening', resolve))
  const read = (path: string, most?: number) => refusal(readRegular('x', path, most))
  expect([
    await read('/dev/zero'),
    await read(join(folder, 'pipe')),
    await read(join(folder, 'socket')),
    await read(join(folder, 'huge')),
    await read('/proc/self/status', 10),
    await read(folder),
    await read(join(folder, 'gone')),
  ]).toEqual([
    '"x" is not read: it is a device, not a file.',
    '"x" is not read: it is a named pipe, not a file.',
    '"x" is not read: it is a socket, not a file.',
    '"x" is not read: it is larger than 64 MB.',
    '"x" is not read: it is larger than 0 MB.',
    '"x" is a folder.',
    'There is no file "x"',
  ])
  server.close()
})

test('a file is read whole, also one that does not know its size', async () => {
  write('text', 'abc')
  expect(new TextDecoder().decode(await readRegular('text', join(folder, 'text'), 3))).toBe('abc')
  expect(new TextDecoder().decode(await readRegular('x', '/proc/self/status'))).toContain('Pid:')
})

test('the root of a document is its repository, else its folder, or the one that was chosen', () => {
  mkdirSync(join(folder, 'repo/.git'), { recursive: true })
  write('repo/apis/a/api.yaml', '')
  write('loose/a/api.yaml', '')
  expect([
    rootOf(join(folder, 'repo/apis/a/api.yaml'), undefined),
    rootOf(join(folder, 'loose/a/api.yaml'), undefined),
    rootOf(join(folder, 'loose/a/api.yaml'), join(folder, 'loose')),
  ]).toEqual([join(folder, 'repo'), join(folder, 'loose/a'), join(folder, 'loose')])
})

test('links that lead out of the root are refused, those within it are not', () => {
  write('root/in/a.yaml', '')
  write('secret.yaml', '')
  symlinkSync('../secret.yaml', join(folder, 'root/out.yaml'))
  symlinkSync('in/a.yaml', join(folder, 'root/inside.yaml'))
  symlinkSync('..', join(folder, 'root/up'))
  const root = join(folder, 'root')
  const isRefused = (path: string): boolean => {
    try {
      assertBelow(root, join(root, path), path)
      return false
    } catch {
      return true
    }
  }
  const paths = [
    'in/a.yaml',
    'inside.yaml',
    'gone.yaml',
    'out.yaml',
    'up/secret.yaml',
    '../secret.yaml',
    '../gone.yaml',
  ]
  expect(paths.map(isRefused)).toEqual([false, false, false, true, true, true, true])
})

const head = 'openapi: 3.0.3\ninfo: { title: A, version: "1", description: { $ref: '
const tail = ' } }\npaths: {}\n'

test('a document leads every command to nothing but files below its root', async () => {
  write('cli/apis/zero.yaml', `${head}/dev/zero${tail}`)
  write('cli/apis/out.yaml', `${head}../common/text.md${tail}`)
  write('cli/common/text.md', 'shared')
  const cwd = join(folder, 'cli')
  const run = async (line: string) => {
    const { exit, stderr } = await runCommand(line.split(' '), registry, { cwd })
    return `${exit} ${stderr.split('\n')[0]?.replaceAll(cwd, '')}`
  }
  const zero =
    '6 error: Invalid document: apis/zero.yaml:2:54 refers to "/dev/zero": "zero" is not read: it is outside of /apis; --root names a wider folder.'
  const shorten = (text: string): string => text.replace(/"(?:\.\.\/)+(?:dev\/)?zero"/, '"zero"')
  for (const command of ['lint', 'bundle', 'stats', 'convert --to openapi-3.1'])
    expect(shorten(await run(`${command} apis/zero.yaml`))).toBe(zero)
  expect(await run('bundle apis/out.yaml')).toBe(
    '6 error: Invalid document: apis/out.yaml:2:54 refers to "../common/text.md": "common/text.md" is not read: it is outside of /apis; --root names a wider folder.',
  )
  expect(await run('bundle apis/out.yaml --root .')).toBe('0 ')
})
