/** The portal on the command line: its switch, its state, and the badges of a project with what keeps them from being seen. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '../../cli/registry.gen.ts'
import { runCommand } from '../fixtures/run-command.ts'

let folder = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-portal-'))
  writeFileSync(join(folder, 'pets.yaml'), 'openapi: 3.1.0\ninfo: { title: Pets, version: 1.0.0 }\npaths: {}\n')
  await raw('import', 'openapi', 'pets.yaml')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const raw = (...words: string[]) =>
  runCommand(words, registry, { env: { SVC_WORKSPACE: join(folder, 'workspace') }, cwd: folder })
const words = async (line: string) => {
  const { exit, stdout, stderr } = await raw(...line.split(' '))
  return [exit, stdout, stderr]
}
const off = 'portal:  off\naddress: /p/local\nshows:   1 project once it is on\n'
const on = 'portal:  on\naddress: /p/local\nshows:   1 project\n'
const notHere = 'warning: A workspace has no public address: ask the service that serves the portal, with --base-url.\n'
const version = '[![version](/p/local/pets/badge/version.svg)](/p/local?q=pets)\n'

test('is on at first and shows nothing; a project with nothing public has badges that no one sees', async () => {
  expect(await words('portal show')).toEqual([
    0,
    'portal:  on\naddress: /p/local\nshows:   nothing: no version is published for everybody\n',
    '',
  ])
  const [exit, stdout, stderr] = await words('portal badges pets --kind version')
  expect([exit, stdout]).toEqual([0, version])
  expect(stderr).toContain(
    'No version of pets is published for everybody, so no one sees these badges: svc version visibility pets VERSION public',
  )
})

test('shows what is published for everybody, and is switched off and on', async () => {
  await words('version publish pets 1.0.0 --visibility public')
  expect(await words('portal show')).toEqual([0, on, ''])
  expect(await words('portal disable')).toEqual([0, off, ''])
  expect(await words('portal show')).toEqual([0, off, ''])
  const [, , stderr] = await words('portal badges pets')
  expect(stderr).toContain('The portal is off, so no one sees these badges. Switch it on: svc portal enable')
  expect(await words('portal enable')).toEqual([0, on, ''])
  expect(await words('portal badges pets --kind version')).toEqual([0, version, notHere])
  expect(await words('portal badges pets --format url')).toEqual([
    0,
    ['version', 'grade', 'compatible'].map((kind) => `/p/local/pets/badge/${kind}.svg\n`).join(''),
    notHere,
  ])
  expect((await words('portal badges pets --format html --kind grade'))[1]).toBe(
    '<a href="/p/local?q=pets"><img src="/p/local/pets/badge/grade.svg" alt="grade" height="20"></a>\n',
  )
  const { stdout } = await raw('portal', 'badges', 'pets', '--kind', 'grade', '--json')
  const { data } = JSON.parse(stdout) as { data: { version_label: string; badges: { kind: string }[] } }
  expect([data.version_label, data.badges.map(({ kind }) => kind)]).toEqual(['1.0.0', ['grade']])
  expect((await words('portal badges nothing'))[0]).toBe(2)
})

test('takes a title, an introduction, a logo and grades, keeps what is left out, and refuses what is no picture', async () => {
  const shown = (more: string) => `${on.replaceAll(/^(\w+:) */gm, (_, name: string) => name.padEnd(14))}${more}`
  const logo = join(folder, 'logo.png')
  writeFileSync(logo, 'picture')
  const setting = async () => JSON.parse((await raw('portal', 'show', '--json')).stdout).data as Record<string, unknown>
  expect(await words(`portal set --title Rails --introduction Trains --show-grades --logo ${logo}`)).toEqual([
    0,
    shown('title:        Rails\nintroduction: Trains\nlogo:         set\ngrades:       shown to everybody\n'),
    '',
  ])
  expect(await setting()).toMatchObject({
    title: 'Rails',
    introduction: 'Trains',
    logo: `data:image/png;base64,${Buffer.from('picture').toString('base64')}`,
    show_grades: true,
  })
  await raw('portal', 'set', '--no-show-grades', '--logo', 'none', '--introduction', '')
  expect(await setting()).toMatchObject({ title: 'Rails', introduction: null, logo: null, show_grades: false })
  writeFileSync(logo, 'x'.repeat(65 * 1024))
  const refusals = [
    [`portal set --logo ${logo}`, 'has 65 kB; at most 64 kB are taken.'],
    ['portal set --logo logo.gif', 'give a .png, .webp or .svg file.'],
    ['portal set --logo nowhere.png', 'nowhere.png'],
    ['portal set', 'Say what to change: --title, --introduction, --logo, --show-grades or --show-owners.'],
  ] as const
  for (const [line, said] of refusals) {
    const [exit, stdout, stderr] = await words(line)
    expect([exit, stdout]).toEqual([2, ''])
    expect(stderr).toContain(said)
  }
})
