/** The folders of `svc gateway compile`. What it prints and writes is compared by test/golden/gateway-compile. */
import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '../../cli/registry.gen.ts'
import { runCommand } from '../fixtures/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-compile-'))
afterAll(() => rmSync(folder, { recursive: true }))

const svc = (...words: string[]) => runCommand(words, registry, { cwd: folder })
const filesIn = (name: string) => readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' }).sort()

test('a second release replaces the first, and nothing else', async () => {
  writeFileSync(join(folder, 'policy.yaml'), 'rate: { limit: 10, windowSeconds: 1 }\n')
  expect((await svc('gateway', 'compile', '--engine', 'nginx', '--policy', 'policy.yaml', '--out', 'waf')).exit).toBe(0)
  const plain = ['10-setup.conf', '20-exceptions.conf', '30-rules.conf', '40-positive.conf', '90-groups.conf']
  const always = [...plain, 'release.json', 'routes.json', 'svc.conf']
  const rate = ['proxy', 'proxy/nginx-rate-http.conf', 'proxy/nginx-rate-server.conf']
  expect(filesIn('waf')).toEqual([...always, ...rate].sort())
  expect((await svc('gateway', 'compile', '--engine', 'coraza', '--out', 'waf')).exit).toBe(0)
  expect(filesIn('waf')).toEqual([...always, 'proxy'].sort())
  expect((await svc('gateway', 'check', 'waf', '--no-engine')).exit).toBe(0)
})

const withBody = {
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1.0.0' },
  paths: {
    '/pets': {
      post: {
        operationId: 'addPet',
        requestBody: { content: { 'application/json': { schema: { type: 'object', required: ['name'] } } } },
        responses: { 201: { description: 'Created' } },
      },
    },
  },
}
const schemasNamed = async (name: string) =>
  [
    ...(await Bun.file(join(folder, name, '40-positive.conf')).text()).matchAll(/@validateSchema (\S+)\/schemas\//g),
  ].map(([, place]) => place)

test('files name each other with whole paths, of the folder or of where they will be', async () => {
  writeFileSync(join(folder, 'pets.json'), JSON.stringify(withBody))
  const compile = (...words: string[]) => svc('gateway', 'compile', '--engine', 'coraza', ...words, 'pets.json')
  expect((await compile('--out', 'here')).exit).toBe(0)
  expect(await schemasNamed('here')).toEqual([join(folder, 'here')])
  expect((await svc('gateway', 'check', 'here', '--no-engine')).exit).toBe(0)
  expect((await compile('--out', 'there', '--installed-at', '/etc/svc/waf')).exit).toBe(0)
  expect(await schemasNamed('there')).toEqual(['/etc/svc/waf'])
  const refused = await compile('--out', 'x', '--installed-at', 'waf')
  expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('--installed-at is the whole path')])
})

test('an environment is compiled with the published version that it is bound to', async () => {
  const workspace = mkdtempSync(join(tmpdir(), 'svc-compile-workspace-'))
  const at = (...words: string[]) => runCommand(words, registry, { cwd: folder, env: { SVC_HOME: workspace } })
  try {
    expect((await at('import', 'openapi', 'pets.json', '--publish', 'private', '--quiet')).exit).toBe(0)
    expect((await at('gateway', 'environment', 'create', 'Production')).exit).toBe(0)
    const set = await at('gateway', 'positive', 'set', 'production', '--project', 'pets', '--version', 'latest')
    expect(set.exit).toBe(0)
    const made = await at('gateway', 'compile', '--engine', 'coraza', '--environment', 'production', '--out', 'env')
    expect([made.exit, await schemasNamed('env')]).toEqual([0, [join(folder, 'env')]])
  } finally {
    rmSync(workspace, { recursive: true })
  }
})

test('a folder with other files is left as it is', async () => {
  mkdirSync(join(folder, 'mine'))
  writeFileSync(join(folder, 'mine', 'notes.txt'), 'x')
  const { exit, stderr } = await svc('gateway', 'compile', '--engine', 'coraza', '--out', 'mine')
  expect([exit, filesIn('mine')]).toEqual([2, ['notes.txt']])
  expect(stderr).toContain('the folder has files and no release.json')
})

test('a manifest cannot name files outside of its folder for removal', async () => {
  expect((await svc('gateway', 'compile', '--engine', 'coraza', '--out', 'odd')).exit).toBe(0)
  const path = join(folder, 'odd', 'release.json')
  const manifest = (await Bun.file(path).json()) as { files: object[] }
  writeFileSync(join(folder, 'kept.txt'), 'x')
  manifest.files.push({ path: '../kept.txt', sha256: '0'.repeat(64) })
  writeFileSync(path, JSON.stringify(manifest))
  expect((await svc('gateway', 'compile', '--engine', 'coraza', '--out', 'odd')).exit).toBe(0)
  expect(existsSync(join(folder, 'kept.txt'))).toBe(true)
})
