/** The commands about bindings, on a local workspace with a git server on loopback. */
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '../../cli/registry.gen.ts'
import { petsYaml } from '../fixtures/pets-project.ts'
import { runCommand } from '../fixtures/run-command.ts'
import { makeRepositories, serveGitOverHttp } from '../server/sources/git-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-binding-'))
const git = makeRepositories()
const served = serveGitOverHttp(git.root)
const host = new URL(served.url).host
afterAll(async () => {
  await served.stop()
  git.remove()
  rmSync(folder, { recursive: true, force: true })
})

test('a draft is bound, checked, merged, applied, dismissed and released', async () => {
  const text = (summary: string) =>
    petsYaml('1.0.0', `{ /a: { get: { summary: ${summary}, responses: { '200': { description: ok } } } } }`)
  git.create('acme/shop', { 'openapi.yaml': text('One') })
  writeFileSync(join(folder, 'openapi.yaml'), text('One'))
  const push = (summary: string, whole = text(summary)) => {
    writeFileSync(join(git.root, 'acme/shop/openapi.yaml'), whole)
    git.git('acme/shop', 'commit', '-qam', summary)
    return git.git('acme/shop', 'rev-parse', '--short=7', 'HEAD')
  }
  const env = { SVC_WORKSPACE: join(folder, 'workspace'), SVC_GIT_HOSTS: `${host}=gitlab` }
  const svc = async (...argv: string[]) => {
    const { exit, stdout, stderr } = await runCommand(argv, registry, { env, cwd: folder })
    return exit === 0 ? stdout : `${exit} ${stderr}`
  }
  const conflict = '/paths/~1a/get/summary'
  /** A candidate with a place that was changed in the draft too. */
  const conflictOf = async () => {
    writeFileSync(join(folder, 'edited.yaml'), text('Mine'))
    await svc('import', 'openapi', 'edited.yaml', '--project-slug', 'edited')
    await svc('binding', 'create', 'edited', '1.0.0', `${served.url}/acme/shop/.git`, '--path', 'openapi.yaml')
    const compared = ['binding', 'compare', 'edited', '1.0.0', `${served.url}/acme/shop/.git`, '--path', 'openapi.yaml']
    const before = git.git('acme/shop', 'rev-parse', '--short=7', 'HEAD')
    expect(await svc(...compared)).toBe(
      `The file at ${before} of main.\nThe draft differs from it in 1 place.\nSince ${before}, where the draft comes from: 0 places changed in the file, 1 place in the draft.\n`,
    )
    const sha = push('Four')
    expect(await svc(...compared)).toBe(
      `The file at ${sha} of main.\nThe draft differs from it in 1 place.\nSince ${before}, where the draft comes from: 1 place changed in the file, 1 place in the draft.\n`,
    )
    return candidateIn(await svc('binding', 'check', 'edited', '1.0.0'))
  }
  /** The exit code, the summary in the text, and the first line on standard error without what is before a message. */
  const merge = async (candidate: string, ...more: string[]): Promise<unknown[]> => {
    const argv = ['binding', 'merge', 'edited', '1.0.0', candidate, ...more]
    const { exit, stdout, stderr } = await runCommand(argv, registry, { env, cwd: folder })
    const said = stderr.split('\n')[0] ?? ''
    return [exit, /summary: (\w+)/.exec(stdout)?.[1] ?? '', said.replace(/^\w+: /, '')]
  }
  await svc('import', 'openapi', 'openapi.yaml', '--project-slug', 'pets')
  expect(
    await svc('binding', 'compare', 'pets', '1.0.0', `${served.url}/acme/shop/.git`, '--path', 'openapi.yaml'),
  ).toBe(`The file at ${git.git('acme/shop', 'rev-parse', '--short=7', 'HEAD')} of main.\nThe draft is the same.\n`)
  expect(await svc('binding', 'show', 'pets', '1.0.0')).toBe('Not bound; 0 earlier bindings.\n')
  expect(await svc('binding', 'list', 'pets')).toBe('No bindings.\n')
  const bound = await svc(
    'binding',
    'create',
    'pets',
    '1.0.0',
    `${served.url}/acme/shop/.git`,
    '--path',
    'openapi.yaml',
  )
  expect(bound.split('\n').map((line) => line.split(':')[0])).toEqual([
    'id',
    'version',
    'repository',
    'ref',
    'path',
    'base',
    'since',
    'state',
    'page',
    '',
  ])
  expect((await svc('binding', 'list', 'pets', '--active')).split('\n')[1]?.replaceAll(/ +/g, ' ')).toBe(
    '1.0.0 acme/shop main openapi.yaml active 0',
  )
  expect(await svc('binding', 'check', 'pets', '1.0.0')).toStartWith('2 ')
  const candidateIn = (shown: string) => /^([0-9a-f-]{36}) +pending/m.exec(shown)?.[1] ?? ''
  const sha = push('Two')
  const checked = await svc('binding', 'check', 'pets', '1.0.0')
  const first = candidateIn(checked)
  const line = checked.split('\n').find((one) => one.startsWith(first)) ?? ''
  expect(line.replaceAll(/ +/g, ' ')).toStartWith(`${first} pending ${sha} docs-only B → B - fast-forward `)
  expect(await svc('binding', 'merge', 'pets', '1.0.0', first)).toBe(text('Two'))
  expect(await svc('binding', 'dismiss', 'pets', '1.0.0', first, '--note', 'later')).toContain('dismissed')
  push('Three')
  const second = candidateIn(await svc('binding', 'check', 'pets', '1.0.0'))
  expect(await svc('binding', 'apply', 'pets', '1.0.0', second)).toContain('applied')
  expect(await svc('binding', 'apply', 'pets', '1.0.0', second)).toStartWith('2 ')
  expect(await svc('binding', 'show', 'pets', '1.0.0')).toContain(git.git('acme/shop', 'rev-parse', 'HEAD'))
  const sides = await conflictOf()
  expect(await merge(sides)).toEqual([0, 'Mine', `Both sides changed GET /a: ${conflict} (mine)`])
  const theirs = [0, 'Four', `Both sides changed GET /a: ${conflict} (theirs)`]
  expect(await merge(sides, '--all', 'theirs')).toEqual(theirs)
  expect(await merge(sides, '--take', `${conflict}=theirs`)).toEqual(theirs)
  expect((await merge(sides, '--all', 'theirs', '--take', `${conflict}=mine`)).slice(0, 2)).toEqual([0, 'Mine'])
  for (const [given, said] of [
    [['--take', conflict], `--take must be CONFLICT=mine or CONFLICT=theirs, not "${conflict}"`],
    [['--take', '/a=b=ours'], '--take must be CONFLICT=mine or CONFLICT=theirs, not "/a=b=ours"'],
    [['--take', '/a=b=mine'], `--take names "/a=b"; the conflicts of this merge are: ${conflict}`],
    [['--take', '/a=mine', '--take', '/a=theirs'], '--take gives "/a" both sides: leave one out'],
  ] as const)
    expect(await merge(sides, ...given)).toEqual([2, '', said])
  expect(await svc('binding', 'release', 'pets', '1.0.0')).toContain('released (unbound)')
  expect(await svc('binding', 'show', 'pets', '1.0.0')).toBe('Not bound; 1 earlier bindings.\n')
  // Each side adds an operation of its own, with the same id.
  const joint = (path: string) =>
    text('Four').replace(
      ' /a:',
      ` ${path}: { get: { operationId: list, responses: { '200': { description: ok } } } }, /a:`,
    )
  push('Base')
  writeFileSync(join(folder, 'joint.yaml'), text('Base'))
  await svc('import', 'openapi', 'joint.yaml', '--project-slug', 'joint')
  await svc('binding', 'create', 'joint', '1.0.0', `${served.url}/acme/shop/.git`, '--path', 'openapi.yaml')
  writeFileSync(join(folder, 'joint.yaml'), joint('/b'))
  await svc('import', 'openapi', 'joint.yaml', '--project-slug', 'joint')
  push('Joint', joint('/c'))
  const both = candidateIn(await svc('binding', 'check', 'joint', '1.0.0'))
  const { stderr } = await runCommand(['binding', 'merge', 'joint', '1.0.0', both], registry, { env, cwd: folder })
  expect(stderr.split('\n')[0]).toEndWith(
    'The changes of both sides to GET /c do not fit together: two operations have the operationId "list": /paths/~1c/get/operationId (operationId) (mine)',
  )
}, 60_000)
