import { expect, test } from 'bun:test'
import { join } from 'node:path'
import manifest from '../../package.json'

const main = join(import.meta.dir, '../../commands/main.ts')

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

test('a reader that goes away is no failure', async () => {
  const child = Bun.spawn(['sh', '-c', '"$0" "$1" explain --json; echo "exit $?" >&2', process.execPath, main], {
    stdout: 'pipe',
    stderr: 'pipe',
  })
  await child.stdout.cancel()
  expect(await new Response(child.stderr).text()).toBe('exit 0\n')
})
