/** `svc view`, `svc project bulk` and `svc project export` over many projects. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '../../cli/registry.gen.ts'
import { runCommand } from '../fixtures/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-project-bulk-'))
const svc = (...argv: string[]) =>
  runCommand(argv, registry, { cwd: folder, env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder } })
const brief = async (...argv: string[]) => {
  const { stdout, stderr, exit } = await svc(...argv)
  return [exit, stdout, stderr.split('\n')[0]]
}

beforeAll(async () => {
  for (const [name, owner] of [
    ['Shop', 'books'],
    ['Cart', 'books'],
    ['Zoo', 'animals'],
  ] as const)
    await svc('project', 'create', name, '--owner', owner)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('views are saved, replaced, renamed, shared, listed with, and deleted', async () => {
  await svc('view', 'save', 'Books', '--owner', 'nobody')
  await svc('view', 'save', 'Books', '--owner', 'books', '--sort', 'name', '--default')
  expect(await brief('view', 'list')).toEqual([
    0,
    'VIEW   VISIBILITY  DEFAULT  PROJECTS\nBooks  private     yes      owner=books sort=name\n',
    '',
  ])
  const slugs = async (...argv: string[]) =>
    (JSON.parse((await svc('project', 'list', '--json', ...argv)).stdout) as { data: { slug: string }[] }).data.map(
      ({ slug }) => slug,
    )
  expect([
    await slugs('--view', 'Books'),
    await slugs('--view', 'Books', '--sort', 'created'),
    await slugs('--view', 'Books', '--owner', 'animals'),
  ]).toEqual([['cart', 'shop'], ['cart', 'shop'], ['zoo']])
  await svc('view', 'update', 'Books', '--name', 'All books', '--share', '--no-default')
  expect(await brief('view', 'list')).toEqual([
    0,
    'VIEW       VISIBILITY  DEFAULT  PROJECTS\nAll books  shared               owner=books sort=name\n',
    '',
  ])
  expect([
    await brief('view', 'update', 'All books'),
    await brief('project', 'list', '--view', 'Books'),
    await brief('view', 'delete', 'All books'),
    await brief('view', 'list'),
  ]).toEqual([
    [2, '', 'error: Give what to change: --name, --share, --no-share, --default or --no-default.'],
    [2, '', 'error: There is no saved view "Books" that you can see.'],
    [0, 'Deleted the view All books\n', ''],
    [0, 'No saved views. Save one: svc view create NAME --owner TEAM\n', ''],
  ])
})

test('many projects are exported, changed and deleted', async () => {
  const { stdout } = await svc('project', 'export', '--owner', 'books')
  expect(stdout.match(/^ {2}name: .*$/gm)).toEqual(['  name: shop', '  name: cart'])
  expect([
    await brief('project', 'bulk', '--owner', 'books', '--set-lifecycle', 'production', '--dry-run'),
    await brief('project', 'bulk', 'shop', 'gone', '--add-tag', 'rest'),
    await brief('project', 'bulk', 'shop', '--all', '--add-tag', 'rest'),
    await brief('project', 'bulk', '--add-tag', 'rest'),
    await brief('project', 'bulk', '--all'),
    await brief('project', 'bulk', '--owner', 'books', '--delete'),
    await brief('project', 'bulk', '--owner', 'books', '--delete', '--confirm', '2'),
    await brief('project', 'bulk', '--owner', 'books', '--delete', '--confirm', '2'),
  ]).toEqual([
    [0, 'PROJECT  RESULT        REASON\nshop     would change\ncart     would change\n\n2 projects: 2 to change\n', ''],
    [
      2,
      'PROJECT  RESULT   REASON\ngone     refused  There is no project "gone" in this organization.\nshop     changed\n\n2 projects: 1 changed, 1 refused\n',
      '',
    ],
    [2, '', 'error: Name projects, or give a filter; not both.'],
    [2, '', 'error: Name the projects, or give a filter such as --owner, --tag or --view; --all means all projects.'],
    [
      2,
      '',
      'error: Give what to change: --set-owner, --set-lifecycle, --add-tag, --remove-tag, --set-style-guide or --delete.',
    ],
    [2, '', 'error: This deletes 2 projects with all versions; to confirm, add --confirm 2.'],
    [0, 'PROJECT  RESULT   REASON\nshop     deleted\ncart     deleted\n\n2 projects: 2 deleted\n', ''],
    [2, '', 'error: 0 projects match, but 2 were expected. Nothing was changed.'],
  ])
})
