/** Commands about types of a repository, on a local workspace with a git server on loopback. */
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '../../cli/registry.gen.ts'
import { runCommand } from '../fixtures/run-command.ts'
import { makeRepositories, serveGitOverHttp } from '../server/sources/git-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-type-repository-'))
const git = makeRepositories()
const served = serveGitOverHttp(git.root)
const host = new URL(served.url).host
afterAll(async () => {
  await served.stop()
  git.remove()
  rmSync(folder, { recursive: true, force: true })
})

const env = { SVC_WORKSPACE: join(folder, 'workspace'), SVC_GIT_HOSTS: `${host}=gitlab` }
const svc = async (...argv: string[]) => {
  const { exit, stdout, stderr } = await runCommand(argv, registry, { env, cwd: folder })
  return exit === 0 ? stdout : `${exit} ${stderr}`
}

test('types are reviewed and imported from a repository by its address and by its registration', async () => {
  git.create('acme/types', {
    'money.json': '{ "$defs": { "Money": { "type": "object" } } }',
    'order.json': '{ "title": "Order", "type": "object" }',
  })
  const url = `${served.url}/acme/types/.git`
  expect(await svc('type', 'review', 'money.json', '--repo', url, '--namespace', 'acme')).toBe(
    'TYPE        CLASS  CHANGE  RECOMMENDED\nacme/Money  New\n',
  )
  expect(await svc('type', 'import', 'money.json', '--repo', url, '--ref', 'main', '--namespace', 'acme')).toBe(
    'TYPE            OUTCOME  REVISION\nsvc:acme/Money  created  revision 1\n',
  )
  const added = await svc('repository', 'create', url, '--json')
  const { data } = JSON.parse(added) as { data: { repository: { id: string } } }
  expect(
    await svc('import', 'json-schema-type', 'order.json', '--repository-id', data.repository.id, '--namespace', 'acme'),
  ).toBe('TYPE            OUTCOME  REVISION\nsvc:acme/Order  created  revision 1\n')
})

test.each([
  [['money.json', '--ref', 'main'], '--ref needs the repository'],
  [['money.json', '--linked-account-id', 'x'], '--linked-account-id needs the repository'],
  [['money.json', '--repo', './here'], '--repo takes an https or ssh address, not "./here"'],
  [['-', '--repository-id', 'x'], 'PATH is a file of the repository, not "-"'],
  [['http://h/x.json', '--repo', 'https://h/x.git'], 'PATH is a file of the repository, not "http://h/x.json"'],
])('%p is refused', async (argv, reason) => {
  const answer = await svc('type', 'import', ...argv)
  expect(answer).toStartWith('2 ')
  expect(answer).toContain(reason)
})
