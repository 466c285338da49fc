/** What people manage from the command line: tenants, members, agent keys, MCP keys. On the local workspace, in-process. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '../../cli/registry.gen.ts'
import { type Outcome, runCommand } from '../fixtures/run-command.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-tenant-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const settle = (text: string): string =>
  text
    .replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'ID')
    .replaceAll(/\bsv([am])_[0-9A-Za-z]{38}\b/g, 'KEY-$1')
    .replaceAll(/\bsv([am])_[0-9A-Za-z]{8}\b/g, 'PREFIX-$1')
    .replaceAll(/\bsvi_\w{43}\b/g, 'TOKEN')
    .replaceAll(/\b20\d\d-\d\d-\d\d \d\d:\d\d/g, 'TIME')
const raw = (...words: string[]): Promise<Outcome> =>
  runCommand(words, registry, { env: { SVC_WORKSPACE: join(folder, 'workspace') }, cwd: folder })
const run = async (...words: string[]) => {
  const { exit, stdout, stderr } = await raw(...words)
  return [exit, settle(exit === 0 ? stdout : (stderr.split('\n')[0] ?? ''))]
}
const words = (line: string) => run(...line.split(' '))

test('agent keys', async () => {
  expect(await words('key agent list')).toEqual([
    0,
    'No agent keys. Make one: svc key agent create LABEL --toolset catalog-read\n',
  ])
  expect(await run('key', 'agent', 'create', 'review bot', '--toolset', 'lint', '--tool', 'ping')).toEqual([
    0,
    'key:     KEY-a\nlabel:   review bot\ntools:   ping\nexpires: TIME\nnote:    the key cannot be shown again\n',
  ])
  expect(await words('key agent create x --toolset lint --tool import.create')).toEqual([
    2,
    expect.stringContaining('error: '),
  ])
  expect(await words('key agent create x --toolset everything')).toEqual([2, expect.stringContaining('error: ')])
  expect(await words('key agent create x')).toEqual([2, expect.stringContaining('error: ')])
  const { stdout } = await raw('key', 'agent', 'list', '--json')
  const [{ id } = { id: '' }] = (JSON.parse(stdout) as { data: { id: string; key?: string }[] }).data
  expect(stdout.includes('"key"')).toBe(false)
  expect(settle((await raw('key', 'agent', 'list')).stdout)).toBe(
    `${'ID'.padEnd(36)}  PREFIX        STATUS  TOOLSET  EXPIRES           LABEL\nID  PREFIX-a  active  lint     TIME  review bot\n`,
  )
  expect(await run('key', 'agent', 'delete', id)).toEqual([0, 'Revoked ID\n'])
  expect((await words('key agent list'))[1]).toContain('  revoked  ')
  expect(await words('key agent delete nothing')).toEqual([2, 'error: The organization has no key "nothing".'])
})

test('MCP keys', async () => {
  expect(await words('key mcp list')).toEqual([0, 'No MCP keys. Make one: svc key mcp create LABEL\n'])
  expect((await words('key mcp create desk'))[1]).toContain('key:   KEY-m\nlabel: desk\ntools: ping project.list')
  expect(await words('key mcp create narrow --tool ping --tool spec.list')).toEqual([
    0,
    'key:   KEY-m\nlabel: narrow\ntools: ping spec.list\nnote:  the key cannot be shown again\n',
  ])
  // A tool that is none leaves no key behind.
  expect(await words('key mcp create odd --tool nothing')).toEqual([2, expect.stringContaining('error: ')])
  const { data } = JSON.parse((await raw('key', 'mcp', 'list', '--json')).stdout) as {
    data: { id: string; label: string; mode: string }[]
  }
  expect(data.map((it) => [it.label, it.mode])).toEqual([
    ['narrow', 'explicit'],
    ['desk', 'inherit'],
  ])
  expect(await run('key', 'mcp', 'delete', data[0]?.id ?? '')).toEqual([0, 'Deleted ID\n'])
  expect(await words('key mcp delete nothing')).toEqual([2, expect.stringContaining('error: ')])
})

test('members', async () => {
  expect((await words('member invite bob@example.com'))[1]).toBe(
    'invited:    bob@example.com\nrole:       editor\nlink:       /app/invitation#token=TOKEN\ngood until: TIME\n',
  )
  expect(await words('member invite bob@example.com')).toEqual([
    2,
    'error: bob@example.com is already a member or has been invited.',
  ])
  const { stdout } = await runCommand(['member', 'invite', 'ann@example.com', '--json'], registry, {
    env: { SVC_WORKSPACE: join(folder, 'workspace'), SVC_PUBLIC_URL: 'https://svc.example.com/' },
    cwd: folder,
  })
  const { data } = JSON.parse(stdout) as { data: { link: string; token: string } }
  expect(data.link).toBe(`https://svc.example.com/app/invitation#token=${data.token}`)
  expect(await words('member invite nobody')).toEqual([2, expect.stringContaining('error: ')])
  const { exit } = await runCommand(['user', 'create', 'owner@example.com', '--password-stdin'], registry, {
    env: { SVC_WORKSPACE: join(folder, 'workspace') },
    cwd: folder,
    stdin: 'a long enough secret\n',
  })
  expect(exit).toBe(0)
  await runCommand(['--tenant', 'local', 'user', 'create', 'eve@example.com', '--password-stdin'], registry, {
    env: { SVC_WORKSPACE: join(folder, 'workspace') },
    cwd: folder,
    stdin: 'a long enough secret\n',
  })
  expect((await words('member list'))[1]).toContain('eve@example.com    editor  active  eve\n')
  expect(await words('member update eve@example.com --role viewer --status suspended')).toEqual([
    0,
    'member: eve@example.com\nrole:   viewer\nstatus: suspended\n',
  ])
  expect(await words('member update eve@example.com')).toEqual([2, 'error: Give --role, --status or --managed'])
  expect(await words('member update nobody@example.com --role viewer')).toEqual([
    2,
    'error: The organization has no member "nobody@example.com".',
  ])
  expect(await words('tenant transfer eve@example.com')).toEqual([
    2,
    'error: The ownership cannot be transferred: the member is suspended.',
  ])
  expect(await words('member delete owner@example.com')).toEqual([2, expect.stringContaining('error: ')])
  expect(await words('member delete eve@example.com')).toEqual([0, 'Removed eve@example.com\n'])
  expect(await words('member delete BOB@example.com')).toEqual([0, 'Withdrew the invitation of bob@example.com\n'])
  expect(await words('member delete bob@example.com')).toEqual([
    2,
    'error: The organization has no member "bob@example.com".',
  ])
  expect((await words('tenant audit --action member.removed'))[1]).toBe(
    `TIME              WHO    ACTION          WHAT\nTIME  owner  member.removed  eve\n`,
  )
  expect((await words('tenant audit --action nothing'))[1]).toBe('Nothing was changed yet.\n')
})

test('tenants', async () => {
  expect(await run('tenant', 'create', 'Acme Inc.', '--slug', 'acme')).toEqual([
    0,
    'tenant: acme\nname:   Acme Inc.\nplan:   free\n',
  ])
  expect(await run('tenant', 'create', 'Acme', '--slug', 'acme')).toEqual([
    2,
    'error: Another organization has the slug "acme".',
  ])
  expect((await words('--tenant acme tenant show'))[1]).toBe(
    'tenant:   acme\nname:     Acme Inc.\nplan:     free\ncreated:  TIME\nmembers:  1\nprojects: 0\nversions: 0, 0 of them published\nstored:   0 bytes of 1073741824\n',
  )
  const license = (await words('--tenant acme tenant license'))[1] as string
  expect(license.split('\n').slice(0, 5)).toEqual([
    'plan:  Free, active',
    'seats: 1 of 5',
    '',
    'QUOTA           USED  MAX',
    'projects        0     10',
  ])
  // The workspace itself has no caps.
  expect((await words('tenant license'))[1]).toContain('projects        0     unlimited\n')
  expect((await words('tenant show'))[1]).toContain('plan:     local\n')
  expect(await words('tenant delete acme')).toEqual([2, expect.stringContaining('error: ')])
  expect(await words('tenant delete acme --confirm acm')).toEqual([2, expect.stringContaining('error: ')])
  expect(await words('tenant delete acme --confirm acme')).toEqual([0, 'Deleted acme\n'])
  expect(await words('--tenant acme tenant show')).toEqual([2, 'error: There is no organization "acme".'])
  expect(await words('tenant delete local --confirm local')).toEqual([
    2,
    'error: The organization "local" belongs to the workspace and cannot be deleted.',
  ])
})
