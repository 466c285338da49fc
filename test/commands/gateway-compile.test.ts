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
