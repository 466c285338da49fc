/** Where svc.yaml is found, what its paths mean, and which API a file belongs to. */
import { afterAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { apiOf, findProjectFile, type ProjectFile } from '../../../cli/project-file/find.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-project-file-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const write = (name: string, text: string): void => {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
}
const refusalIn = (name: string): Promise<unknown> =>
  findProjectFile(join(folder, name)).catch((error: unknown) => error)

test('the nearest file up to the root of the repository is found, with absolute paths', async () => {
  write('svc.yaml', 'apis: {outer: o.yaml}')
  write('repo/.git/HEAD', '')
  write('repo/sub/x', '')
  expect(await findProjectFile(join(folder, 'repo/sub'))).toBeNull()
  write('repo/rules', 'rules: {}')
  write(
    'repo/svc.yml',
    `guide: rules
compareWith: git:main
apis:
  a: { root: ./api/a.yaml, guide: ./g.yaml, baseline: b.json, waivers: w.yaml, diff: d.yaml, compareWith: old.yaml }
  b: { root: b.yaml, guide: house, files: ['schemas/**'] }
  c: { root: c.yaml, guide: 'spectral:oas' }
`,
  )
  const repo = join(folder, 'repo')
  const file = (await findProjectFile(join(repo, 'sub'))) as ProjectFile
  expect([file.path, file.folder, file.defaults.guide]).toEqual([join(repo, 'svc.yml'), repo, join(repo, 'rules')])
  expect(
    file.apis.map(({ root, guide, baseline, waivers, compareWith, diff: { config } }) => ({
      root,
      guide,
      baseline,
      waivers,
      compareWith,
      config,
    })),
  ).toEqual([
    {
      root: join(repo, 'api/a.yaml'),
      guide: join(repo, 'g.yaml'),
      baseline: join(repo, 'b.json'),
      waivers: join(repo, 'w.yaml'),
      compareWith: { kind: 'file', path: join(repo, 'old.yaml') },
      config: join(repo, 'd.yaml'),
    },
    {
      root: join(repo, 'b.yaml'),
      guide: 'house',
      baseline: null,
      waivers: null,
      compareWith: { kind: 'git', revision: 'main', path: null },
      config: null,
    },
    {
      root: join(repo, 'c.yaml'),
      guide: 'spectral:oas',
      baseline: null,
      waivers: null,
      compareWith: { kind: 'git', revision: 'main', path: null },
      config: null,
    },
  ])
  const nameOf = (path: string) => apiOf(file, join(repo, path))?.name ?? null
  expect([nameOf('api/a.yaml'), nameOf('schemas/x/pet.yaml'), nameOf('other.yaml'), nameOf('../o.yaml')]).toEqual([
    'a',
    'b',
    null,
    null,
  ])
})

test('svc.yaml is preferred to svc.yml, and refusals name the file as it is seen from the folder', async () => {
  write('two/.git/HEAD', '')
  write('two/svc.yml', 'apis: {b: b.yaml}')
  write('two/svc.yaml', 'apis: {a: a.yaml}\nfailon: error')
  expect(await refusalIn('two')).toMatchObject({
    code: 'project-file-invalid',
    exitCode: 2,
    detail: { file: 'svc.yaml', problems: ['svc.yaml:2:1: Unknown property "failon"; did you mean "failOn"?'] },
  })
  mkdirSync(join(folder, 'two/in'))
  expect(await refusalIn('two/in')).toMatchObject({ detail: { file: '../svc.yaml' } })
})
