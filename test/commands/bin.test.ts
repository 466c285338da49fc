/** `svc bin`: what was deleted is listed, found by its name, restored, and deleted permanently. */
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '../../cli/registry.gen.ts'
import { runCommand } from '../fixtures/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-bin-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const document = join(folder, 'shop.yaml')
writeFileSync(document, 'openapi: 3.1.0\ninfo: { title: Shop, version: 1.0.0 }\npaths: {}\n')

const svc = async (...argv: string[]) => {
  const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const { stdout, stderr, exit } = await runCommand(argv, registry, { cwd: folder, env })
  return exit === 0 ? stdout : `${exit} ${stderr.split('\n')[0]}`
}
const remove = () => svc('project', 'delete', 'shop', '--confirm', 'shop')

test('a project is deleted, listed, restored, and deleted permanently', async () => {
  await svc('import', 'openapi', document)
  expect(await svc('bin', 'list')).toBe('The bin is empty.\n')
  expect(await remove()).toBe('Deleted shop\nYou can restore it for 30 days: svc bin restore shop\n')
  expect((await svc('bin', 'list', '--kind', 'project')).replaceAll(/ +/g, ' ').split('\n')[1]).toMatch(
    /^project shop 1 version \d{4}-\d\d-\d\d \d\d:\d\d Owner \d{4}-\d\d-\d\d [0-9a-f-]{36}$/,
  )
  expect(await svc('bin', 'list', '--kind', 'type')).toBe('The bin is empty.\n')
  await svc('project', 'create', 'Shop')
  expect(await svc('bin', 'restore', 'shop')).toBe(
    '2 error: The project "shop" cannot be restored: there is another one of that name.',
  )
  expect(await svc('bin', 'restore', 'Shop', '--as', 'shop-old')).toBe('Restored project shop-old\n')
  expect(await svc('bin', 'restore', 'shop')).toBe('2 error: The bin has no entry "shop".')
  await remove()
  expect(await svc('bin', 'delete', 'shop')).toBe(
    '2 error: This permanently deletes the project shop; to confirm, add --confirm shop.',
  )
  expect(await svc('bin', 'delete', 'shop', '--confirm', 'shop')).toBe('Deleted the project shop permanently\n')
})

test('a draft is named with its project; an id is asked for where several have one name', async () => {
  const draft = ['version', 'delete', 'shop-old', '1.0.0'] as const
  expect(await svc(...draft)).toBe(
    'Deleted shop-old@1.0.0\nYou can restore it for 30 days: svc bin restore shop-old@1.0.0\n',
  )
  const { data } = JSON.parse(await svc('project', 'show', 'shop-old', '--json')) as { data: { id: string } }
  await svc('import', 'openapi', document, '--project-id', data.id)
  await svc(...draft)
  expect(await svc('bin', 'restore', '1.0.0')).toMatch(
    /^2 error: The bin has 2 entries called "1\.0\.0"; give an id: [0-9a-f-]{36} \(draft shop-old@1\.0\.0, deleted \d{4}-\d\d-\d\d \d\d:\d\d\), /,
  )
  expect(await svc('bin', 'empty')).toBe(
    '2 error: This permanently deletes 2 entries; to confirm, add --confirm local.',
  )
  expect(await svc('bin', 'empty', '--confirm', 'local')).toBe('Deleted 2 entries permanently\n')
})
