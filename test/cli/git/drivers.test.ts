/** The drivers in a repository of git: merges, conflicts, differences, and what is left to git. */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dir, '../../..')
const top = mkdtempSync(join(tmpdir(), 'svc-git-drivers-'))
afterAll(() => rmSync(top, { recursive: true, force: true }))

const environment = {
  ...process.env,
  HOME: top,
  XDG_CONFIG_HOME: join(top, 'config'),
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'n',
  GIT_AUTHOR_EMAIL: 'n@example.com',
  GIT_COMMITTER_NAME: 'n',
  GIT_COMMITTER_EMAIL: 'n@example.com',
}
let folder = top
let count = 0

const run = (words: readonly string[]) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...words], { cwd: folder, env: environment })
  return { exit: exitCode, stdout: stdout.toString(), stderr: stderr.toString() }
}
const git = (...words: string[]) => run(['git', ...words])
const svc = (...words: string[]) => run([process.execPath, 'run', join(root, 'cli/main.ts'), ...words])
const write = (files: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
}
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
const commit = (files: Readonly<Record<string, string>>): void => {
  write(files)
  git('add', '-A')
  expect(git('commit', '-qm', 'c').exit).toBe(0)
}
/** Two branches that begin with the same files; the current one is "main". */
const branches = (
  base: Readonly<Record<string, string>>,
  mine: Readonly<Record<string, string>>,
  theirs: Readonly<Record<string, string>>,
): void => {
  commit(base)
  git('checkout', '-qb', 'theirs')
  commit(theirs)
  git('checkout', '-q', 'main')
  commit(mine)
}

const api = `# The shop
openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /orders:
    get:
      summary: List orders
      responses:
        '200': { description: OK }
`

beforeEach(() => {
  folder = join(top, `repository-${count++}`)
  mkdirSync(folder)
  git('init', '-q', '-b', 'main')
  expect(svc('git', 'install')).toMatchObject({ exit: 0, stderr: '' })
})

test('edits of neighbouring lines are merged, where git alone has a conflict', () => {
  const mine = api.replace('      summary', '      operationId: list\n      summary')
  const theirs = api.replace('List orders', 'All orders').replace('# The shop', '# The shop of theirs')
  branches({ 'a.yaml': api }, { 'a.yaml': mine }, { 'a.yaml': theirs })
  expect(git('merge', '-q', '-m', 'm', 'theirs')).toEqual({
    exit: 0,
    stdout: 'Auto-merging a.yaml\n',
    stderr: '',
  })
  expect(read('a.yaml')).toBe(mine.replace('List orders', 'All orders').replace('# The shop', '# The shop of theirs'))
})

test('a conflict is named in the words of the API, with marks only there', () => {
  const mine = api.replace('List orders', 'Mine').replace('1.0.0', '1.1.0')
  const theirs = api.replace('List orders', 'Theirs').replace('description: OK', 'description: Fine')
  branches({ 'a.yaml': api }, { 'a.yaml': mine }, { 'a.yaml': theirs })
  const merged = git('merge', 'theirs')
  expect(merged.exit).toBe(1)
  expect(merged.stderr).toContain('a.yaml: GET /orders, summary: mine "Mine", theirs "Theirs"')
  expect(read('a.yaml')).toBe(
    mine
      .replace('description: OK', 'description: Fine')
      .replace(
        '      summary: Mine\n',
        '<<<<<<< ours: GET /orders\n      summary: Mine\n=======\n      summary: Theirs\n>>>>>>> theirs: GET /orders\n',
      ),
  )
  expect(git('status', '--porcelain').stdout).toBe('UU a.yaml\n')
})

test('what is no description, or cannot be read, is merged and shown by lines', () => {
  const base = { 'p.json': '{\n"a": 1,\n"b": 1,\n"c": 1,\n"d": 1\n}\n', 'broken.yaml': `${api}x: [\n` }
  branches(
    base,
    { 'p.json': base['p.json'].replace('"a": 1', '"a": 2') },
    { 'p.json': base['p.json'].replace('"d": 1', '"d": 2'), 'broken.yaml': base['broken.yaml'].replace('OK', 'Fine') },
  )
  expect(git('merge', '-q', '-m', 'm', 'theirs').exit).toBe(0)
  expect(read('p.json')).toBe('{\n"a": 2,\n"b": 1,\n"c": 1,\n"d": 2\n}\n')
  const shown = git('diff', 'HEAD~1', 'HEAD')
  expect(shown.stdout).toContain('diff --git a/p.json b/p.json\n--- a/p.json\n+++ b/p.json\n@@ -2,5 +2,5 @@\n')
  expect(shown.stdout).toContain("-        '200': { description: OK }\n+        '200': { description: Fine }\n")
  write({ 'p.json': '{\n"a": 3\n}\n' })
  git('commit', '-qam', 'c')
  git('checkout', '-q', 'theirs')
  commit({ 'p.json': '{\n"a": 4\n}\n' })
  expect(git('merge', 'main').exit).toBe(1)
  expect(read('p.json')).toContain('<<<<<<< ours\n"a": 4')
})

test('git diff, and git log and git show with --ext-diff, show classified changes', () => {
  commit({ 'a.yaml': api })
  commit({ 'a.yaml': api.replace('  /orders:', '  /goods:') })
  for (const words of [
    ['diff', 'HEAD~1'],
    ['log', '-p', '-1', '--ext-diff'],
    ['show', '--ext-diff'],
  ]) {
    const { stdout } = git(...words)
    expect(stdout).toContain('diff --svc a/a.yaml b/a.yaml\n')
    expect(stdout).toContain('  breaking      GET /orders was removed')
  }
  expect(git('show').stdout).toContain('-  /orders:\n+  /goods:\n')
  write({ 'a.yaml': `${read('a.yaml')}# more\n` })
  expect(git('diff').stdout).toBe('diff --svc a/a.yaml b/a.yaml\nOnly comments, order or layout changed.\n')
  write({ 'new.yaml': api })
  git('add', '-N', 'new.yaml')
  expect(git('diff', '--', 'new.yaml').stdout).toContain(
    '--- /dev/null\n+++ b/new.yaml\n@@ -0,0 +1,9 @@\n+# The shop\n',
  )
})

test('where there is a svc.yaml, its files are meant and no others', () => {
  const others = api.replace('Shop', 'Other')
  commit({ 'svc.yaml': 'version: 1\napis:\n  shop: a.yaml\n', 'a.yaml': api, 'b.yaml': others })
  write({ 'a.yaml': api.replace('OK', 'Fine'), 'b.yaml': others.replace('OK', 'Fine') })
  const { stdout } = git('diff')
  expect(stdout).toContain('diff --svc a/a.yaml b/a.yaml\n')
  expect(stdout).toContain('diff --git a/b.yaml b/b.yaml\n')
})

test('installing twice changes nothing, and uninstalling leaves what others wrote', () => {
  const attributes = join('.git', 'info', 'attributes')
  write({ [attributes]: `${read(attributes)}*.png binary\n` })
  const before = [read(attributes), read(join('.git', 'config'))]
  svc('git', 'install')
  expect([read(attributes), read(join('.git', 'config'))]).toEqual(before)
  expect(svc('git', 'uninstall').stdout).toBe('git merges and compares by lines again in this repository.\n')
  expect(read(attributes)).toBe('*.png binary\n')
  expect(read(join('.git', 'config'))).not.toContain('svc')
})

test('--global writes to the configuration of the account, and outside of a repository it is needed', () => {
  folder = join(top, 'outside')
  mkdirSync(folder)
  const refused = svc('git', 'install')
  expect([refused.exit, refused.stderr.split('\n')[0]]).toEqual([
    2,
    'error: The current folder is in no git repository: go to one, or use --global',
  ])
  expect(svc('git', 'install', '--global').exit).toBe(0)
  expect(readFileSync(join(top, 'config', 'git', 'attributes'), 'utf8')).toContain('*.yaml merge=svc diff=svc\n')
  expect(git('config', '--global', '--get', 'merge.svc.driver').stdout).toContain(' git merge-driver %O %A %B %L %P\n')
  expect(svc('git', 'uninstall', '--global').exit).toBe(0)
  expect(svc('--help').stdout).not.toContain('merge-driver')
})

test('run by hand, the drivers say what they cannot do', () => {
  write({ 'mine.yaml': api })
  expect(svc('git', 'merge-driver', 'none.yaml', 'mine.yaml', 'none.yaml', '7', 'a.yaml')).toMatchObject({
    exit: 6,
    stderr: expect.stringContaining('error: a.yaml cannot be merged: '),
  })
  expect(read('mine.yaml')).toBe(api)
  const shown = svc('git', 'diff-driver', 'a.yaml', '/dev/null', '.', '.', 'mine.yaml', '0', '100644')
  expect(shown.stdout).toStartWith(
    'diff --git a/a.yaml b/a.yaml\n--- /dev/null\n+++ b/a.yaml\n@@ -0,0 +1,9 @@\n+# The shop\n',
  )
})
