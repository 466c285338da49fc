/** `svc gateway check` of the folder of an agent: the release in use. */
import { afterAll, expect, test } from 'bun:test'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { besides } from '../../cli/gateway/agent/engines.ts'
import { Folder } from '../../cli/gateway/agent/folder.ts'
import { registry } from '../../cli/registry.gen.ts'
import { bundleOf } from '../fixtures/gateway/bundle.ts'
import { runCommand } from '../fixtures/run-command.ts'

const cwd = mkdtempSync(join(tmpdir(), 'svc-check-'))
afterAll(() => rmSync(cwd, { recursive: true }))
const check = (dir: string, ...more: string[]) =>
  runCommand(['gateway', 'check', dir, '--no-engine', ...more], registry, { cwd })

const texts = {
  'svc.conf': 'Include 30-rules.conf\n',
  '30-rules.conf': 'SecRule REQUEST_BODY "@validateSchema schemas/a.json" "id:30000,phase:2,deny"\n',
  'schemas/a.json': '{}\n',
}
const newAgent = (name: string) => {
  const folder = new Folder(join(cwd, name), besides('nginx'))
  mkdirSync(join(cwd, name))
  folder.prepare()
  return folder
}

test('the release in use is checked, from the folder, from its link and from its own place', async () => {
  const folder = newAgent('agent')
  const bundle = bundleOf('r-1', texts)
  folder.store(bundle)
  folder.point(bundle.digest)
  const place = join('agent', 'releases', bundle.digest)
  for (const dir of ['agent', join('agent', 'current'), place]) {
    const { exit, stdout } = await check(dir, '--json')
    const { data } = JSON.parse(stdout) as { data: { files: { path: string }[] } }
    expect([exit, data.files.map(({ path }) => path)]).toEqual([0, [...Object.keys(texts), 'probe.conf']])
    expect(data).toMatchObject({
      releaseId: 'r-1',
      environment: 'production',
      enforcerId: 'g-1',
      digest: bundle.digest,
      problems: [],
    })
    // The key for evidence stays where it is.
    expect(stdout).not.toContain(bundle.evidenceKey)
  }
  const { stdout } = await check('agent')
  expect(stdout).toContain('What each setting comes to: svc gateway release show production r-1')
  appendFileSync(join(cwd, place, '30-rules.conf'), 'SecRuleEngine Off\n')
  writeFileSync(join(cwd, place, 'more.conf'), '')
  const changed = await check('agent', '--json')
  expect([changed.exit, (JSON.parse(changed.stdout) as { data: { problems: string[] } }).data.problems]).toEqual([
    6,
    ['30-rules.conf: the file was changed after it was written', 'more.conf: the file does not belong to the release'],
  ])
})

test('an agent without a release, and a folder of something else', async () => {
  newAgent('fresh')
  mkdirSync(join(cwd, 'other'))
  const reasons = [await check('fresh'), await check('other')].map(({ exit, stderr }) => [
    exit,
    stderr.split('\n', 1)[0],
  ])
  expect(reasons).toEqual([
    [2, expect.stringContaining('its agent has no release yet')],
    [2, expect.stringContaining('it has no release.json that "svc gateway compile" or the agent of a gateway wrote')],
  ])
})
