/** A test run sees nothing of the caller's folders and settings of svc, and leaves nothing behind. */
import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dir, '..', '..')
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-run-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const probe = `
import { test } from 'bun:test'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { env } from 'node:process'
import { loginPath } from '${root}/cli/connection/login-store.ts'
import { cacheFolder } from '${root}/cli/cache/cache.ts'
import { workspaceFolder } from '${root}/cli/connection/workspace.ts'

test('writes where programs write', () => {
  const folders = {
    home: homedir(),
    temporary: tmpdir(),
    workspace: workspaceFolder(undefined, env, '/'),
    cache: cacheFolder(env),
    login: dirname(loginPath(env, 'https://svc.test')),
  }
  for (const made of Object.values(folders)) {
    mkdirSync(made, { recursive: true })
    writeFileSync(join(made, 'left-behind'), '')
  }
  writeFileSync(env['TEST_PROBE'] ?? '', JSON.stringify({ folders, names: Object.keys(env) }))
})
`

test('a run has empty folders of its own, no settings of the caller, and nothing outlives it', async () => {
  const outside = { home: join(folder, 'home'), data: join(folder, 'data'), temporary: join(folder, 'temporary') }
  for (const made of Object.values(outside)) mkdirSync(made)
  const [file, seen] = [join(folder, 'probe.test.ts'), join(folder, 'seen.json')]
  writeFileSync(file, probe)
  const child = Bun.spawn([process.execPath, 'scripts/test.ts', file], {
    cwd: root,
    env: {
      ...process.env,
      HOME: outside.home,
      XDG_DATA_HOME: outside.data,
      XDG_CONFIG_HOME: outside.data,
      XDG_CACHE_HOME: outside.data,
      TMPDIR: outside.temporary,
      SVC_WORKSPACE: outside.data,
      SVC_API_KEY: 'of the caller',
      TEST_DATABASE_URL: 'postgres://not-asked.test',
      TEST_PROBE: seen,
      // What Bun keeps of large sources is not what is asked here.
      BUN_RUNTIME_TRANSPILER_CACHE_PATH: '0',
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr, exit] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  expect([exit, stdout.trimEnd().split('\n').at(-1), exit === 0 ? '' : stderr]).toEqual([0, '1 passed, 0 failed', ''])
  const { folders, names } = JSON.parse(await readFile(seen, 'utf8')) as {
    folders: Record<string, string>
    names: string[]
  }
  expect(Object.keys(folders)).toEqual(['home', 'temporary', 'workspace', 'cache', 'login'])
  // All in one folder, which is gone with the run.
  for (const [name, path] of Object.entries(folders))
    expect([name, /\/svc-t-[^/]+\//.test(path), existsSync(path)]).toEqual([name, true, false])
  expect(Object.values(outside).map((path) => readdirSync(path))).toEqual([[], [], []])
  expect(names.filter((name) => /^(SVC|XDG)_/.test(name))).toEqual([])
  expect(names).toContain('TEST_DATABASE_URL')
}, 60_000)
