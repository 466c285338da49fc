/** The commands about linked accounts, on a local workspace with a fake provider. */
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '../../cli/registry.gen.ts'
import { startFakeProvider } from '../fixtures/fake-provider.ts'
import { runCommand } from '../fixtures/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-account-'))
const lab = startFakeProvider('gitlab')
afterAll(async () => {
  await lab.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('an account is linked, listed, renewed and deleted', async () => {
  const token = 'glpat-planted'
  lab.tokens.set(token, { login: 'ada', scopes: ['read_repository', 'read_api'] })
  lab.tokens.set('other', { login: 'ada', scopes: ['api'] })
  lab.repositories.push('Acme/Specs')
  const said: string[] = []
  const svc = async (argv: readonly string[], given: { stdin?: string; token?: string } = {}) => {
    const env = { SVC_WORKSPACE: folder, ...(given.token === undefined ? {} : { SVC_GIT_TOKEN: given.token }) }
    const done = await runCommand(argv, registry, {
      env,
      cwd: folder,
      ...(given.stdin === undefined ? {} : { stdin: given.stdin }),
    })
    said.push(done.stdout, done.stderr)
    return done
  }
  const settled = (text: string, id: string) =>
    text
      .replaceAll(id, 'ID')
      .replaceAll(lab.host, 'HOST')
      .replaceAll(/\d{4}-\d\d-\d\dT\S+Z/g, 'TIME')
      .replaceAll(/ {2,}/g, '  ')

  expect((await svc(['account', 'create', 'gitlab', '--host', lab.host])).exit).toBe(2)
  expect((await svc(['account', 'create', 'gitea'], { token })).exit).toBe(2)
  const linked = await svc(['account', 'create', 'gitlab', '--host', lab.host, '--token-stdin', '--json'], {
    stdin: `${token}\n`,
  })
  expect(linked.exit).toBe(0)
  const { id } = (JSON.parse(linked.stdout) as { data: { id: string } }).data
  const shown = `id:  ID
account:  ada (gitlab, HOST)
owner:  personal
status:  active
scopes:  read_repository, read_api
verified: TIME
used by:  0 repositories, 0 bindings
`
  expect(settled((await svc(['account', 'show', id])).stdout, id)).toBe(shown)
  expect(settled((await svc(['account', 'verify', id])).stdout, id)).toBe(shown)
  expect(settled((await svc(['account', 'list'])).stdout, id)).toBe(
    'ID  HOST  LOGIN  OWNER  STATUS  EXPIRES\nID  HOST  ada  personal  active  -\n',
  )
  expect(settled((await svc(['account', 'repositories', id, '--search', 'specs'])).stdout, id)).toBe(
    'REPOSITORY  BRANCH  VISIBILITY\nacme/specs  main  public\n',
  )
  expect(settled((await svc(['account', 'token', id], { token: 'other' })).stdout, id)).toBe(
    shown.replace('read_repository, read_api', 'api'),
  )
  expect((await svc(['account', 'delete', id])).stdout).toBe(`Deleted ${id}\n`)
  expect((await svc(['account', 'list'])).stdout).toBe('No linked accounts.\n')
  expect(said.join('\n')).not.toContain(token)
}, 60_000)
