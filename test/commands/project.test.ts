/** `svc project`: owner, lifecycle, tags and links by options and out of a catalog-info.yaml; lists by facets. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '../../cli/registry.gen.ts'
import { runCommand } from '../fixtures/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-project-'))
const entity = (kind: string, name: string) => `apiVersion: backstage.io/v1alpha1
kind: ${kind}
metadata: { name: ${name}, title: Book shop, tags: [Public], links: [{ url: https://example.com/run, title: Runbook }] }
spec: { type: openapi, lifecycle: production, owner: 'group:default/books' }
`
beforeAll(() => {
  writeFileSync(join(folder, 'catalog-info.yaml'), `${entity('Component', 'shop')}---\n${entity('API', 'shop-api')}`)
  writeFileSync(join(folder, 'two.yaml'), `${entity('API', 'a')}---\n${entity('API', 'b')}`)
  writeFileSync(join(folder, 'broken.yaml'), 'kind: API\nmetadata: { tags: [a\n')
  writeFileSync(join(folder, 'wrong.yaml'), 'kind: API\nmetadata: { tags: a }\n')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const svc = (...argv: string[]) =>
  runCommand(argv, registry, { cwd: folder, env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder } })
const json = async (...argv: string[]) => {
  const { stdout, exit, stderr } = await svc(...argv, '--json')
  expect([exit, stderr]).toEqual([0, ''])
  return (JSON.parse(stdout) as { data: Record<string, unknown> }).data
}
const facts = async (...argv: string[]) => {
  const { name, owner, lifecycle, tags, links } = await json(...argv)
  return { name, owner, lifecycle, tags, links }
}

test('options set, replace and remove', async () => {
  const created = [
    'project',
    'create',
    'Shop',
    '--owner',
    'a',
    '--tag',
    'x',
    '--tag',
    'x',
    '--link',
    'https://example.com',
  ]
  expect(await facts(...created)).toEqual({
    name: 'Shop',
    owner: 'a',
    lifecycle: null,
    tags: ['x'],
    links: [{ title: null, url: 'https://example.com' }],
  })
  const none = ['--owner', '', '--lifecycle', 'none', '--tag', '', '--link', '']
  expect(await facts('project', 'update', 'shop', ...none)).toEqual({
    name: 'Shop',
    owner: null,
    lifecycle: null,
    tags: [],
    links: [],
  })
})

test('the API entity of a catalog-info.yaml gives what no option does', async () => {
  expect(await facts('project', 'update', 'shop', '--from', 'catalog-info.yaml', '--owner', 'me')).toEqual({
    name: 'Book shop',
    owner: 'me',
    lifecycle: 'production',
    tags: ['public'],
    links: [{ title: 'Runbook', url: 'https://example.com/run' }],
  })
  expect(await json('project', 'export', 'shop')).toEqual({
    apiVersion: 'backstage.io/v1alpha1',
    kind: 'API',
    metadata: {
      name: 'shop',
      title: 'Book shop',
      tags: ['public'],
      links: [{ url: 'https://example.com/run', title: 'Runbook' }],
    },
    spec: { type: 'openapi', lifecycle: 'production', owner: 'me', definition: '' },
  })
})

test('what cannot be used is refused with its place', async () => {
  const refusal = async (...argv: string[]) => {
    const { exit, stderr } = await svc('project', 'update', 'shop', ...argv)
    return `${exit} ${stderr.split('\n')[0]}`
  }
  expect([
    await refusal(),
    await refusal('--link', 'example.com'),
    await refusal('--from', 'two.yaml'),
    await refusal('--from', 'wrong.yaml'),
    (await refusal('--from', 'broken.yaml')).slice(0, 24),
  ]).toEqual([
    '2 error: Give what to change: --name, --description, --owner, --lifecycle, --tag, --link or --from.',
    '2 error: --link takes a URL or TITLE=URL, not "example.com".',
    '2 error: two.yaml holds 2 entities; give a file with one entity of the kind API.',
    '2 error: wrong.yaml: "metadata.tags" must be a list.',
    '2 error: broken.yaml:3:1',
  ])
})

test('lists are narrowed and ordered', async () => {
  await svc('project', 'create', 'Another', '--owner', 'you', '--tag', 'core')
  const slugs = async (...argv: string[]) =>
    ((await json('project', 'list', ...argv)) as unknown as { slug: string }[]).map((it) => it.slug)
  expect([
    await slugs('--sort', 'name'),
    await slugs('--owner', 'me'),
    await slugs('--tag', 'core'),
    await slugs('--lifecycle', 'production'),
    await slugs('--grade', 'none', '--search', 'shop book'),
  ]).toEqual([['another', 'shop'], ['shop'], ['another'], ['shop'], ['shop']])
  expect((await svc('project', 'list', '--tag', 'nope')).stdout).toBe('No projects match these filters.\n')
})
