/** The overlays that svc.yaml names for an API, in every command that reads it. */
import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '../../../cli/registry.gen.ts'
import type { VersionRecord } from '../../../src/api/versions.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { runCommand, type Outcome } from '../../fixtures/run-command.ts'

let folder = ''
const made: string[] = []
afterAll(() => made.forEach((it) => rmSync(it, { recursive: true, force: true })))

const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
const svc = (line: string, stdin?: string): Promise<Outcome> =>
  runCommand(line.split(' '), registry, {
    cwd: folder,
    env: { SVC_WORKSPACE: join(folder, '.workspace') },
    ...(stdin === undefined ? {} : { stdin }),
  })
const git = (...args: string[]): void => {
  const done = Bun.spawnSync(['git', '-c', 'user.email=a@example.com', '-c', 'user.name=a', ...args], { cwd: folder })
  if (done.exitCode !== 0) throw new Error(done.stderr.toString())
}
const commit = (): void => {
  git('add', '.')
  git('commit', '-qm', 'next')
}

const description = `openapi: 3.1.0
# A comment that stays.
info: { title: Shop, version: 1.0.0 }
tags:
  - name: internal
  - name: pets
paths:
  /internal:
    get:
      responses:
        '200': { description: ok }
  /pets:
    get:
      operationId: listPets
      tags: [pets]
      responses:
        '200': { description: ok }
`
const first = `overlay: 1.1.0
info: { title: One, version: 1.0.0 }
actions:
  - target: $.paths['/internal']
    remove: true
  - target: $.tags[?@.name == 'internal']
    remove: true
`
const second = `overlay: 1.1.0
info: { title: Two, version: 1.0.0 }
actions:
  - target: $.paths
    update:
      /added:
        get:
          tags: [pets]
          responses:
            '200': { description: ok }
`
const withOverlays =
  'compareWith: git:HEAD\napis:\n  shop:\n    root: openapi.yaml\n    overlays: [one.yaml, two.yaml]\n'

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-api-overlays-'))
  made.push(folder)
  git('init', '-q')
  write('openapi.yaml', description)
  commit()
  write('one.yaml', first)
  write('two.yaml', second)
  write('svc.yaml', withOverlays)
})

const applied = async (): Promise<string> => (await svc('overlay apply openapi.yaml one.yaml two.yaml')).stdout

interface Place {
  readonly pointer: string
  readonly code: string
}
const findingsOf = ({ stdout }: Outcome): readonly Place[] =>
  (JSON.parse(stdout) as { findings: readonly Place[] }).findings
const kinds = (findings: readonly Place[]): string[] => findings.map((it) => `${it.code} ${it.pointer}`).toSorted()

describe('the document is what "svc overlay apply" writes', () => {
  test('svc overlay reads the file as it is', async () => {
    expect(await applied()).toContain('/added')
    expect((await svc('overlay apply openapi.yaml two.yaml')).stdout).toContain('/internal')
  })

  test.each(['shop', 'openapi.yaml'])('svc bundle %s', async (name) => {
    expect((await svc(`bundle ${name}`)).stdout).toBe(await applied())
  })

  test('svc convert', async () => {
    write('whole.yaml', await applied())
    const expected = await svc('convert whole.yaml --to openapi-3.0')
    expect(expected.stdout).toContain('/added')
    expect((await svc('convert shop --to openapi-3.0')).stdout).toBe(expected.stdout)
  })

  test('svc export', async () => {
    write('whole.yaml', await applied())
    const expected = await svc('export whole.yaml --as markdown')
    expect(expected.exit).toBe(0)
    const paths = (text: string): string[] => text.match(/added|internal/g) ?? []
    expect(paths((await svc('export shop --as markdown')).stdout)).toEqual(paths(expected.stdout))
    expect(paths(expected.stdout)).toContain('added')
  })

  test('svc import', async () => {
    for (const [name, project] of [
      ['shop', 'named'],
      ['openapi.yaml', 'file'],
      ['. --root openapi.yaml', 'folder'],
    ] as const) {
      expect((await svc(`import auto ${name} --project-slug ${project}`)).exit).toBe(0)
      expect((await svc(`version document ${project} 1.0.0`)).stdout).toBe(await applied())
      const facts = (await svc(`version show ${project} 1.0.0`)).stdout
      expect(facts).toMatch(/Overlay 1: +One \(one\.yaml\): 2 actions, 2 places, sha256:/)
      expect(facts).toMatch(/Overlay 2: +Two \(two\.yaml\): 1 action, 1 place, sha256:/)
      const base = /Base: +(sha256:\w+)/.exec(facts)?.[1] ?? ''
      expect((await svc(`version document ${project} 1.0.0 --digest ${base}`)).stdout).toBe(description)
    }
  })

  test('svc import of a folder below svc.yaml keeps what a version is made of', async () => {
    mkdirSync(join(folder, 'specs'))
    copyFileSync(join(folder, 'openapi.yaml'), join(folder, 'specs', 'shop.yaml'))
    // A file of the same name that is another one.
    write('specs/one.yaml', 'unrelated: true\n')
    write('svc.yaml', 'apis:\n  shop:\n    root: specs/shop.yaml\n    overlays: [one.yaml, two.yaml]\n')
    const told = await svc('import auto specs --root shop.yaml --project-slug below')
    expect(told.exit).toBe(0)
    expect((await svc('version document below 1.0.0')).stdout).toBe(await applied())
    const facts = (await svc('version show below 1.0.0')).stdout
    expect(facts).toMatch(/Overlay 1: +One \(2-one\.yaml\): 2 actions/)
    expect(facts).toMatch(/Overlay 2: +Two \(two\.yaml\): 1 action/)
    const base = /Base: +(sha256:\w+)/.exec(facts)?.[1] ?? ''
    expect((await svc(`version document below 1.0.0 --digest ${base}`)).stdout).toBe(description)
  })

  test('svc import of a folder with a svc.yaml of its own keeps what a version is made of by both', async () => {
    mkdirSync(join(folder, 'specs', 'shop'), { recursive: true })
    copyFileSync(join(folder, 'openapi.yaml'), join(folder, 'specs', 'shop', 'shop.yaml'))
    write('specs/shop/three.yaml', second.replace('title: Two', 'title: Three').replace('/added', '/more'))
    write('svc.yaml', 'apis:\n  shop:\n    root: specs/shop/shop.yaml\n    overlays: [one.yaml, two.yaml]\n')
    const lineageOf = async (project: string): Promise<unknown> => {
      const { exit } = await svc(`import auto specs --root shop/shop.yaml --project-slug ${project}`)
      const { stdout } = await svc(`version show ${project} 1.0.0 --json`)
      const { provenance } = (JSON.parse(stdout) as { data: VersionRecord }).data
      return [exit, ...(provenance.lineage?.overlays.map(({ title, source }) => `${title} ${source}`) ?? [])]
    }
    // One that names no overlays, one that names its own, in a folder between, and one that is not valid.
    write('specs/shop/svc.yaml', 'failOn: error\n')
    expect(await lineageOf('plain')).toEqual([0, 'One one.yaml', 'Two two.yaml'])
    expect((await svc('version document plain 1.0.0')).stdout).toBe(await applied())
    write('specs/shop/svc.yaml', '# ours\napis:\n  it: { root: ./shop.yaml, overlays: [three.yaml] }\n')
    expect(await lineageOf('both')).toEqual([0, 'One one.yaml', 'Two two.yaml', 'Three shop/three.yaml'])
    write('specs/shop/svc.yaml', '# ours\napis:\n  it: { root: ./shop.yaml, overlays: [none.yaml] }\n')
    const lost = await svc('import auto specs --root shop/shop.yaml --project-slug lost')
    expect(lost.exit).toBe(6)
    expect(lost.stderr).toContain('shop/svc.yaml:3:')
    expect(lost.stderr).toContain('there is no overlay "none.yaml" here')
  })

  test('svc import --overlay, after those of svc.yaml', async () => {
    write('three.yaml', second.replace('title: Two', 'title: Three').replace('/added', '/more'))
    await svc('import openapi shop --overlay three.yaml')
    const { stdout } = await svc('version show shop 1.0.0 --json')
    const { provenance } = (JSON.parse(stdout) as { data: VersionRecord }).data
    expect(provenance.lineage?.overlays.map(({ title }) => title)).toEqual(['One', 'Two', 'Three'])
    expect((await svc('import openapi shop --overlay three.yaml --guide svc:recommended')).exit).toBe(2)
    expect((await svc('import auto . --bulk --overlay three.yaml')).exit).toBe(2)
  })

  test('svc lint, up to places', async () => {
    const all = findingsOf(await svc('lint shop --format json'))
    write('whole.yaml', await applied())
    const expected = findingsOf(await svc('lint whole.yaml --format json'))
    expect(expected.length).toBeGreaterThan(3)
    expect(kinds(all)).toEqual(kinds(expected))
    expect(kinds(findingsOf(await svc('lint --format json')))).toEqual(kinds(expected))
    expect(kinds(findingsOf(await svc('lint openapi.yaml --format json')))).toEqual(kinds(expected))
    expect(kinds(findingsOf(await svc('lint openapi.yaml --no-project-file --format json'))).join()).toContain(
      'internal',
    )
  })
})

test('svc lint shows places of the file, and of the overlay that made a node', async () => {
  const { stdout } = await svc('lint shop')
  expect(stdout).toMatch(/openapi\.yaml:13:\d+ +warning +operation-description/)
  expect(stdout).toContain('> 13 |     get:')
  expect(stdout).toMatch(/two\.yaml:7:\d+ +warning +operation-operationId/)
  expect(stdout).not.toContain('/internal')
})

test('svc lint --fix changes the file alone', async () => {
  write('two.yaml', second.replace('/added', '/added/'))
  const overlay = readFileSync(join(folder, 'two.yaml'), 'utf8')
  await svc('lint shop --fix --fix-non-breaking --fix-removals')
  expect(readFileSync(join(folder, 'two.yaml'), 'utf8')).toBe(overlay)
  expect(parseDocument(readFileSync(join(folder, 'openapi.yaml'), 'utf8'), { source: '' }).value).not.toHaveProperty([
    'paths',
    '/added/',
  ])
})

describe('the older side of git', () => {
  test('has no overlays where the revision has no such file, which is said', async () => {
    const { stdout, stderr } = await svc('diff shop')
    expect(stdout).toContain('GET /internal was removed  HEAD:openapi.yaml:10')
    expect(stdout).toContain('GET /added was added  two.yaml:8')
    expect(stderr).toContain('HEAD:openapi.yaml is read without 2 overlays of shop')
    expect(stderr).toContain('HEAD:one.yaml, HEAD:two.yaml')
  })

  test('has the overlays of its revision', async () => {
    commit()
    expect((await svc('diff shop')).stdout).toContain('No differences found')
    write('two.yaml', second.replace('/added', '/other'))
    const { stdout, stderr } = await svc('diff shop')
    expect(stdout).toContain('GET /added was removed  HEAD:two.yaml:8')
    expect(stdout).toContain('GET /other was added  two.yaml:8')
    expect(stderr).not.toContain('read without')
    expect((await svc('breaking HEAD:openapi.yaml openapi.yaml')).stdout).toContain('GET /added was removed')
  })

  test('is that of svc check, and --since sees a changed overlay', async () => {
    commit()
    expect((await svc('check')).stdout).toMatch(/shop +passed: .* passed: none/)
    const { stdout } = await svc('check --format json')
    expect(stdout).toContain('~1added')
    expect(stdout).not.toContain('~1internal')
    expect((await svc('check --since HEAD')).stdout).not.toContain('shop ')
    write('two.yaml', second.replace('/added', '/other'))
    expect((await svc('check')).stdout).toMatch(/failed: 1 breaking/)
    expect((await svc('check --since HEAD')).stdout).toMatch(/failed: 1 breaking/)
  })
})

describe('an overlay', () => {
  const commands = [
    'lint shop',
    'diff shop',
    'bundle shop',
    'convert shop --to openapi-3.0',
    'export shop --as markdown',
  ]

  test.each(commands)('that is invalid ends svc %s with its place', async (line) => {
    write('two.yaml', second.replace('$.paths', 'paths'))
    const { exit, stderr } = await svc(line)
    expect(exit).not.toBe(0)
    expect(stderr).toContain('two.yaml:4:')
  })

  test.each(commands)('that matches nothing is a warning of svc %s', async (line) => {
    write('two.yaml', `${second}  - { target: $.nothing, remove: true }\n`)
    const { stderr } = await svc(line)
    expect(stderr.match(/ two\.yaml:11:15: action 2 matches nothing: \$\.nothing/g)).toHaveLength(1)
  })

  test('that does not exist is refused with its place in svc.yaml', async () => {
    rmSync(join(folder, 'two.yaml'))
    const { exit, stderr } = await svc('bundle shop')
    expect(exit).not.toBe(0)
    expect(stderr).toContain('svc.yaml:5:26')
  })
})

describe('the results that svc lint keeps', () => {
  const lint = async (): Promise<readonly string[]> => kinds(findingsOf(await svc('lint shop --cache --format json')))

  test('are those of the document and its overlays: a changed overlay is seen, warnings stay', async () => {
    write('two.yaml', `${second}  - { target: $.nothing, remove: true }\n`)
    const first = await svc('lint shop --format json')
    const again = await svc('lint shop --format json')
    expect([again.stdout, again.stderr]).toEqual([first.stdout, first.stderr])
    expect(again.stderr).toContain('action 2 matches nothing')
    write('two.yaml', second.replace('/added', '/other'))
    expect((await lint()).join()).toContain('other')
    expect((await lint()).join()).not.toContain('added')
  })
})

describe('two folders', () => {
  const older = (): void => {
    mkdirSync(join(folder, 'old'))
    for (const name of ['openapi.yaml', 'one.yaml', 'two.yaml', 'svc.yaml'])
      copyFileSync(join(folder, name), join(folder, 'old', name))
    mkdirSync(join(folder, 'new'))
    for (const name of ['openapi.yaml', 'one.yaml', 'two.yaml', 'svc.yaml'])
      copyFileSync(join(folder, name), join(folder, 'new', name))
  }

  test('are compared with the overlays of the svc.yaml in each', async () => {
    older()
    write('new/two.yaml', second.replace('/added', '/other'))
    const { stdout, stderr } = await svc('diff old new --format json')
    expect(stderr).not.toContain('without the overlays')
    const { changes } = JSON.parse(stdout) as { changes: readonly { message: string }[] }
    expect(changes.map(({ message }) => message)).toEqual(
      expect.arrayContaining([expect.stringContaining('/added'), expect.stringContaining('/other')]),
    )
    expect(stdout).not.toContain('/internal')
    write('new/one.yaml', first.replace('1.1.0', '9.0.0'))
    expect((await svc('diff old new')).stderr).toContain('one.yaml:1:')
  })

  test('with those of the current folder, where one is a folder of a revision', async () => {
    commit()
    write('two.yaml', second.replace('/added', '/other'))
    const { stdout } = await svc('diff HEAD: .')
    expect([stdout.includes('/added'), stdout.includes('/other'), stdout.includes('/internal')]).toEqual([
      true,
      true,
      false,
    ])
  })
})

test('git diff shows a file with the overlays of now, and how many changes these hide', async () => {
  commit()
  const before = join(folder, 'before.yaml')
  writeFileSync(before, description)
  write('openapi.yaml', description.replace('/internal', '/private').replace('listPets', 'findPets'))
  const words = `git diff-driver openapi.yaml ${before} 0 100644 openapi.yaml 0 100644`
  const { stdout } = await svc(words)
  expect(stdout).toContain('With the overlays that svc.yaml names now: one.yaml, two.yaml.')
  expect(stdout).toContain('GET /private was added')
  expect(stdout).not.toContain('/internal')
  expect(stdout).toMatch(/The overlays hide or replace \d+ changes? of the file\./)
  write('two.yaml', second.replace('$.paths', 'paths'))
  expect((await svc(words)).stdout).toContain('Without the overlays of svc.yaml: ')
})
