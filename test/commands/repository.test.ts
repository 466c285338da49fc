/** The commands about repositories, on a local workspace with a git server on loopback. */
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '../../cli/registry.gen.ts'
import { petsYaml } from '../fixtures/pets-project.ts'
import { runCommand } from '../fixtures/run-command.ts'
import { makeRepositories, serveGitOverHttp } from '../server/sources/git-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-repository-'))
const git = makeRepositories()
const served = serveGitOverHttp(git.root)
const host = new URL(served.url).host
afterAll(async () => {
  await served.stop()
  git.remove()
  rmSync(folder, { recursive: true, force: true })
})

test('a repository is registered, scanned, listed, imported, refreshed and removed', async () => {
  git.create('acme/shop', { 'openapi.yaml': petsYaml('1.0.0'), 'notes.md': '# Notes\n' })
  const env = { SVC_WORKSPACE: folder, SVC_GIT_HOSTS: `${host}=gitlab` }
  const svc = async (...argv: string[]) => {
    const { exit, stdout, stderr } = await runCommand(argv, registry, { env, cwd: folder })
    return exit === 0 ? stdout : `${exit} ${stderr}`
  }
  const address = `${served.url}/acme/shop/.git`
  const made = await svc('repository', 'create', address, '--json')
  const { id } = (JSON.parse(made) as { data: { repository: { id: string } } }).data.repository
  const settled = (text: string) =>
    text
      .replaceAll(id, 'ID')
      .replaceAll(host, 'HOST')
      .replaceAll(/\d{4}-\d\d-\d\dT\S+Z|\d{4}-\d\d-\d\d \d\d:\d\d/g, 'TIME')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'JOB')
      .replaceAll(/ {2,}/g, ' ')
  const scanned = settled(await svc('repository', 'scan', id))
  expect(scanned.replace(/polled: .*/, 'polled: NEXT')).toBe(
    `id: ID
repository: acme/shop (gitlab, HOST)
address: http://HOST/acme/shop/.git
health: healthy
branch: main
files: 2 on 1 indexed branches
scanned: TIME
polled: NEXT
conflicts: hold-for-review
`,
  )
  expect(settled(await svc('repository', 'list'))).toBe(
    'ID REPOSITORY HOST HEALTH FILES\nID acme/shop HOST healthy 2\n',
  )
  expect(settled(await svc('repository', 'files', id, '--preset', 'all'))).toBe(
    'PATH KIND IMPORT\nnotes.md - -\nopenapi.yaml openapi -\n',
  )
  expect(await svc('repository', 'file', id, 'notes.md')).toBe('# Notes\n')
  const begun = await svc('repository', 'import', id, 'openapi.yaml', '--project-slug', 'pets')
  expect(settled(begun)).toBe('Started: svc import status JOB --wait\n')
  const [job = ''] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(begun) ?? []
  expect(await svc('import', 'status', job, '--wait')).toContain('pets')
  expect(settled(await svc('repository', 'files', id))).toContain('openapi.yaml openapi up-to-date')
  expect(settled(await svc('repository', 'catalog'))).toBe(
    'REPOSITORY PATH KIND IMPORT\nacme/shop openapi.yaml openapi up-to-date\n',
  )
  const plan = await svc('repository', 'import', id, 'openapi.yaml', 'notes.md', '--dry-run')
  const [dry = ''] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(plan) ?? []
  const planned = await runCommand(['import', 'status', dry, '--wait'], registry, { env, cwd: folder })
  expect([planned.exit, /openapi\.yaml/.test(planned.stdout), /notes\.md/.test(planned.stdout)]).toEqual([
    6,
    true,
    true,
  ])
  expect(settled(await svc('repository', 'import', id, '--planned', dry))).toBe(
    'Started: svc import status JOB --wait\n',
  )
  for (const wrong of [[], ['openapi.yaml', '--planned', dry], ['openapi.yaml', 'notes.md', '--project-slug', 'pets']])
    expect(await svc('repository', 'import', id, ...wrong)).toStartWith('2 ')
  writeFileSync(
    join(git.root, 'acme/shop/openapi.yaml'),
    petsYaml('1.0.0', "{ /a: { get: { responses: { '200': { description: ok } } } } }"),
  )
  git.git('acme/shop', 'commit', '-qam', 'two')
  expect(await svc('repository', 'refresh', id)).toBe('1 import started, 0 under way already\n')
  const [head = ''] = (await svc('repository', 'history', id)).split('\n')
  expect(head.replaceAll(/ +/g, ' ').trim()).toBe('TIME PATH TRIGGER OUTCOME COMMIT CHANGE')
  expect(await svc('repository', 'policy', id, '--set', 'new-branch')).toBe('new-branch\n')
  expect(
    await svc('repository', 'policy', id, '--set', 'overwrite', '--branch', 'main', '--path', 'openapi.yaml'),
  ).toBe('new-branch\nmain:openapi.yaml  overwrite\n')
  expect(await svc('repository', 'policy', id, '--set', 'inherit')).toStartWith('2 ')
  expect(await svc('repository', 'update', id, '--no-auto-refresh')).toContain('polled:     no')
  expect(await svc('repository', 'update', id, '--pull-request-reports')).toMatch(/pull requests: +get reports/)
  expect(await svc('repository', 'update', id, '--no-pull-request-reports')).not.toContain('pull requests')
  expect(settled(await svc('repository', 'show', id))).toContain('conflicts: new-branch')
  expect(await svc('import', 'git', address, '--repository-id', id, '--path', 'openapi.yaml', '--dry-run')).toContain(
    'pets',
  )
  expect(await svc('repository', 'webhook', 'show', id)).toBe('No webhook.\n')
  expect(await svc('repository', 'webhook', 'create', id)).toStartWith('1 ')
  const secret = { env, cwd: folder, stdin: 'a long enough secret\n' }
  const hook = await runCommand(['repository', 'webhook', 'create', id, '--secret-stdin'], registry, secret)
  expect(
    settled(hook.stdout)
      .replaceAll(/[\w-]{22}\n/g, 'TOKEN\n')
      .replaceAll(/secret: \w+/g, 'secret: FP'),
  ).toBe('address: /v1/hooks/gitlab/TOKEN\nevents: push_events, tag_push_events\nstate: pending\nsecret: FP\n')
  const rotated = await runCommand(
    ['repository', 'webhook', 'rotate', id, '--secret-stdin', '--grace', '1h'],
    registry,
    secret,
  )
  expect([rotated.exit, rotated.stderr.includes('by hand'), rotated.stdout.includes('previous:')]).toEqual([
    0,
    true,
    true,
  ])
  expect(await svc('repository', 'webhook', 'secret', id)).toStartWith('2 ')
  expect(await svc('repository', 'webhook', 'rotate', id)).toContain('previous:')
  expect(await svc('repository', 'webhook', 'secret', id)).toMatch(/^whsec_\S+\n$/)
  expect(await svc('repository', 'webhook', 'show', id)).toContain('state:    pending')
  expect(settled(await svc('repository', 'webhook', 'delete', id))).toBe('Deleted the webhook of ID\n')
  expect(settled(await svc('repository', 'delete', id))).toBe('Deleted ID\n')
  expect(await svc('repository', 'list')).toBe('No registered repositories.\n')
}, 60_000)
