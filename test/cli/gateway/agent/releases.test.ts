/** Every step of the agent is broken once: by a process that is killed, and by a disk that is full. */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'bun:test'
import { besides, setupOf, writeEntry } from '../../../../cli/gateway/agent/engines.ts'
import type { Ran } from '../../../../cli/gateway/agent/commands.ts'
import { Folder } from '../../../../cli/gateway/agent/folder.ts'
import { lockFolder } from '../../../../cli/gateway/agent/lock.ts'
import { Releases } from '../../../../cli/gateway/agent/releases.ts'
import type { WatchProblem } from '../../../../cli/gateway/agent/watch.ts'
import type { Bundle } from '../../../../src/gateway/agent/bundle.ts'
import { bundleOf, publicKey, recipient } from '../../../fixtures/gateway/bundle.ts'

const folders: string[] = []
const newDir = (): string => {
  folders.push(mkdtempSync(join(tmpdir(), 'svc-agent-')))
  return folders.at(-1) ?? ''
}
afterEach(() => {
  for (const dir of folders.splice(0)) rmSync(dir, { recursive: true, force: true })
})

const a = bundleOf('r-a', {
  'svc.conf': '# a\nInclude rules.conf\n',
  'rules.conf': '# rules of a\n',
  'schemas/x.json': '{}',
})
const b = bundleOf(
  'r-b',
  {
    'svc.conf': '# b\nSecRule REQUEST_BODY "@validateSchema schemas/deep/y.json"\n',
    'schemas/deep/y.json': '{"b":1}',
  },
  { number: 2 },
)
const textsOf = ({ files }: Bundle) => Object.fromEntries(files.map(({ path, text }) => [path, text]))
const never = new AbortController().signal

interface Rig {
  readonly folder: Folder
  readonly releases: Releases
  /** Commands of the engine and what was reported, in order. */
  readonly log: string[]
}
interface Broken {
  /** Waits for the disk, as the agent does. */
  readonly syncs?: boolean
  readonly before?: (step: string) => void
  readonly run?: (command: string) => Ran
  readonly watch?: () => WatchProblem | null
  readonly answers?: boolean
  readonly acceptOlder?: boolean
}

function rigIn(dir: string, broken: Broken = {}): Rig {
  const folder = broken.syncs === true ? new Folder(dir) : new Folder(dir, undefined, broken.before, () => undefined)
  const log: string[] = []
  folder.prepare()
  const releases = new Releases({
    folder,
    setup: setupOf('nginx', { validate: 'validate', reload: 'reload' }),
    publicKey,
    recipient,
    acceptOlder: broken.acceptOlder ?? false,
    run: async (command) => {
      log.push(`${command} ${folder.current()?.slice(0, 4)}`)
      return broken.run?.(command) ?? { ok: true, output: '' }
    },
    watch: { answers: async () => broken.answers ?? null, watch: async () => broken.watch?.() ?? null },
    keep: 2,
    now: () => 1000,
    secrets: ['svg_secret'],
    tell: (event, data) => log.push(`${event} ${data['error'] ?? ''}`.trim()),
  })
  return { folder, releases, log }
}

async function settle({ releases }: Rig, bundle: Bundle | null): Promise<string | null> {
  while (await releases.step(never)) continue
  const problem = bundle === null ? null : releases.offer(bundle, `"${bundle.releaseId}"`)
  for (let n = 0; n < 10 && (await releases.step(never)); n++) continue
  return problem
}

/** Coraza looks for schemas from the folder that it was started in. */
const onDisk = (dir: string, name: string, text: string): string =>
  text.replace(' schemas/', ` ${dir}/releases/${name}/schemas/`)

/** What the engine would read: the texts of the release that the link names. */
function inUse(dir: string): string {
  const name = new Folder(dir).current()
  if (name === 'empty') return 'empty'
  const bundle = [a, b].find((it) => it.digest === name)
  expect(bundle).toBeDefined()
  for (const { path, text } of bundle?.files ?? [])
    expect(readFileSync(join(dir, 'current', path), 'utf8')).toBe(onDisk(dir, name ?? '', text))
  return bundle?.releaseId ?? 'none'
}

test('a release is written, checked, linked, reloaded and watched; the next one too, and old ones are removed', async () => {
  const dir = newDir()
  const rig = rigIn(dir, { syncs: true })
  expect(inUse(dir)).toBe('empty')
  expect(readFileSync(join(dir, 'current/svc.conf'), 'utf8')).toContain('SecRuleEngine Off')
  expect(await settle(rig, a)).toBeNull()
  expect(rig.log).toEqual(['validate empt', `reload ${a.digest.slice(0, 4)}`, 'release-used', 'release-active'])
  expect(inUse(dir)).toBe('r-a')
  expect(readFileSync(join(dir, 'check/nginx.conf'), 'utf8')).toContain(
    `modsecurity_rules_file "${dir}/releases/${a.digest}/svc.conf";`,
  )
  expect(statSync(join(dir, 'current/release.json')).mode & 0o777).toBe(0o600)
  expect(statSync(join(dir, 'current/rules.conf')).mode & 0o777).toBe(0o644)
  await settle(rig, b)
  const c = bundleOf('r-c', { 'svc.conf': '# c\n' }, { number: 3 })
  await settle(rig, c)
  expect(rig.folder.list('releases').toSorted()).toEqual([b.digest, c.digest, 'empty'].toSorted())
  expect(rig.releases.history.map((it) => it.releaseId)).toEqual(['r-a', 'r-b', 'r-c'])
})

test('Caddy gets directives that name the release by its folder: else it would keep the engine that it built', () => {
  const dir = newDir()
  const folder = new Folder(dir, besides('caddy'))
  folder.prepare()
  folder.store(a)
  writeEntry(folder, '/var/log/audit.log')
  folder.point(a.digest)
  expect(readFileSync(join(dir, 'current/site.caddyfile'), 'utf8')).toBe(
    `coraza_waf {\n\tload_owasp_crs\n\tdirectives \`\n\t\tInclude ${dir}/audit.conf\n\t\tInclude ${dir}/releases/${a.digest}/probe.conf\n\t\tInclude ${dir}/releases/${a.digest}/svc.conf\n\t\`\n}\n`,
  )
  expect(readFileSync(join(dir, 'audit.conf'), 'utf8')).toEndWith('SecAuditLog /var/log/audit.log\n')
  expect(readFileSync(join(dir, 'releases/empty/site.caddyfile'), 'utf8')).toContain(`${dir}/releases/empty/svc.conf`)
  expect(folder.isWhole(a.digest)).toBeTrue()
  rmSync(join(dir, 'current/site.caddyfile'))
  expect(folder.isWhole(a.digest)).toBeFalse()
})

test('the same files under another id are adopted: nothing is reloaded', async () => {
  const rig = rigIn(newDir())
  await settle(rig, a)
  const before = rig.log.length
  await settle(rig, bundleOf('r-a2', textsOf(a), { number: 2 }))
  expect(rig.log.slice(before)).toEqual([])
  expect([rig.releases.state.active?.releaseId, rig.folder.manifest(a.digest)?.releaseId]).toEqual(['r-a2', 'r-a2'])
})

test('what is not signed, or is for another engine, changes nothing', async () => {
  const dir = newDir()
  const rig = rigIn(dir)
  await settle(rig, a)
  expect(await settle(rig, { ...b, policyVersion: 9 })).toBe('its signature is not by the pinned public key')
  expect(await settle(rig, bundleOf('r-x', { 'svc.conf': '' }, { engine: 'coraza', number: 2 }))).toBe(
    'it is for coraza, but --engine nginx reads modsecurity',
  )
  expect([inUse(dir), rig.releases.etag]).toEqual(['r-a', '"r-a"'])
})

test('a host in between cannot give a gateway a release of another one, or an older one of its own', async () => {
  const dir = newDir()
  const rig = rigIn(dir)
  const texts = { 'svc.conf': '# weak\n' }
  const foreign = {
    organization: { id: 't-2', slug: 'evil' },
    environment: { id: 'e-2', slug: 'off' },
    recipient: 'f'.repeat(64),
    number: 99,
  }
  const notMine = 'it is for another gateway, in environment "off" of organization "evil"'
  // Also at the first start, when the agent knows nothing but its key.
  expect(await settle(rig, bundleOf('r-x', texts, foreign))).toBe(notMine)
  const second = bundleOf('r-a', textsOf(a), { number: 2 })
  expect(await settle(rig, second)).toBeNull()
  const older = bundleOf('r-old', texts, { number: 1 })
  const tooOld =
    'it is release 1, and this gateway already took release 2. After a restore of the service from a backup, start the agent once with --accept-older'
  expect(await settle(rig, bundleOf('r-x', texts, foreign))).toBe(notMine)
  expect(await settle(rig, older)).toBe(tooOld)
  expect(await settle(rig, bundleOf('r-b', texts, { number: 2 }))).toBe(tooOld.replace('release 1', 'release 2'))
  // The same after a start, and the release in use is taken again where the service sends it.
  const next = rigIn(dir)
  expect([await settle(next, older), await settle(next, second), inUse(dir)]).toEqual([tooOld, null, 'r-a'])
  // A rollback is a release of its own.
  const back = bundleOf('r-b', textsOf(b), { number: 3 })
  expect([await settle(next, back), inUse(dir)]).toEqual([null, 'r-b'])
  // A restored service counts from an earlier number, once.
  const restored = rigIn(dir, { acceptOlder: true })
  expect([await settle(restored, second), inUse(dir)]).toEqual([null, 'r-a'])
  expect(await settle(restored, bundleOf('r-1', texts, { number: 1 }))).toBe(tooOld)
})

test('a release that the engine does not accept never gets the link', async () => {
  const dir = newDir()
  await settle(rigIn(dir), a)
  const rig = rigIn(dir, { run: (command) => ({ ok: command !== 'validate', output: 'Rules error. svg_secret' }) })
  await settle(rig, b)
  expect(rig.log).toEqual([
    `validate ${a.digest.slice(0, 4)}`,
    'release-failed The engine does not accept the release.\nRules error. [redacted]',
  ])
  expect([inUse(dir), rig.releases.state.failed?.releaseId]).toEqual(['r-a', 'r-b'])
  // Offered again, also after a start: the cause may have been corrected.
  expect(rig.releases.etag).toBeNull()
  const again = rigIn(dir)
  await settle(again, b)
  expect([inUse(dir), again.log.at(-1)]).toEqual(['r-b', 'release-active'])
})

test('an engine that does not reload, and one that fails while it is watched, go back', async () => {
  const refuses = (dir: string): Broken => ({
    run: (command) => ({ ok: command === 'validate' || inUse(dir) === 'r-a', output: 'no' }),
  })
  for (const brokenIn of [refuses, (): Broken => ({ watch: () => ({ error: 'it answers 502', isSilent: true }) })]) {
    const dir = newDir()
    await settle(rigIn(dir), a)
    const rig = rigIn(dir, brokenIn(dir))
    await settle(rig, b)
    expect(rig.log.at(-1)).toBe('returned')
    expect([inUse(dir), rig.releases.state.failed?.releaseId, rig.releases.isBusy]).toEqual(['r-a', 'r-b', false])
  }
})

test('a release under which a site that answered stops answering is not used again; one of a site that never did is', async () => {
  const silent = () => ({ error: 'it answers 502', isSilent: true })
  for (const answers of [true, false]) {
    const dir = newDir()
    await settle(rigIn(dir), a)
    const rig = rigIn(dir, { watch: silent, answers })
    await settle(rig, b)
    expect([inUse(dir), rig.releases.state.failed]).toEqual([
      'r-a',
      { releaseId: 'r-b', digest: b.digest, error: 'it answers 502', breaks: answers },
    ])
    const again = rigIn(dir, { answers })
    await settle(again, b)
    expect(inUse(dir)).toBe(answers ? 'r-a' : 'r-b')
  }
})

test('an engine that does not take the old release either is asked again, also after a start', async () => {
  const dir = newDir()
  await settle(rigIn(dir), a)
  const rig = rigIn(dir, { run: (command) => ({ ok: command === 'validate', output: 'gone' }) })
  await settle(rig, b)
  expect(rig.log.slice(-1)).toEqual(['return-failed The engine did not reload.\ngone'])
  expect([inUse(dir), rig.releases.isBusy]).toEqual(['r-a', true])
  const again = rigIn(dir)
  await settle(again, null)
  expect(again.log).toEqual([`reload ${a.digest.slice(0, 4)}`, 'returned'])
  expect([again.releases.state.failed?.releaseId, again.releases.etag]).toEqual(['r-b', null])
  await settle(again, b)
  expect(inUse(dir)).toBe('r-b')
})

/** A folder in which `a` is active. */
async function withA(): Promise<(dir: string) => void> {
  const first = newDir()
  await settle(rigIn(first), a)
  return (dir) => cpSync(first, dir, { recursive: true, verbatimSymlinks: true })
}

/** The steps that change the folder while `b` replaces `a`. */
async function stepsOfChange(): Promise<string[]> {
  const dir = newDir()
  await settle(rigIn(dir), a)
  const steps: string[] = []
  await settle(rigIn(dir, { before: (step) => void steps.push(step.split(' ')[0] ?? '') }), b)
  return steps
}

test('killed before any step: the link names a complete release, and the next start ends what was begun', async () => {
  const count = (await stepsOfChange()).length
  expect(count).toBeGreaterThan(20)
  const seen = new Set<string>()
  const prepare = await withA()
  for (let at = 0; at < count; at++) {
    const dir = newDir()
    prepare(dir)
    let steps = 0
    // From the step on nothing happens any more, whatever the process still tries.
    const before = (): void => {
      if (steps++ >= at) throw new Error('killed')
    }
    try {
      await settle(rigIn(dir, { before }), b)
    } catch {
      // The process is gone.
    }
    seen.add(inUse(dir))
    const next = rigIn(dir)
    expect(await settle(next, null)).toBeNull()
    seen.add(inUse(dir))
    await settle(next, b)
    expect([at, inUse(dir), next.releases.state.active?.releaseId, next.releases.state.phase]).toEqual([
      at,
      'r-b',
      'r-b',
      'idle',
    ])
  }
  expect([...seen].toSorted()).toEqual(['r-a', 'r-b'])
})

test('a disk that is full from any step on: the last good release stays, and with space the new one comes', async () => {
  const steps = await stepsOfChange()
  const prepare = await withA()
  for (const [at, name] of steps.entries()) {
    // The other steps need no space: they fail at the next one that does.
    if (name !== 'create' && name !== 'link') continue
    const dir = newDir()
    prepare(dir)
    let done = 0
    let isFull = true
    const before = (step: string): void => {
      const writes = /^(?:create|write|sync|link)/.test(step)
      if (isFull && done++ >= at && writes) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
    }
    const rig = await Promise.resolve().then(() => {
      try {
        return rigIn(dir, { before })
      } catch {
        return null
      }
    })
    if (rig !== null) await settle(rig, b)
    expect(['r-a', 'r-b']).toContain(inUse(dir))
    isFull = false
    const next = rig ?? rigIn(dir)
    await settle(next, b)
    expect([at, inUse(dir), next.releases.state.active?.releaseId, next.releases.state.failed]).toEqual([
      at,
      'r-b',
      'r-b',
      null,
    ])
  }
})

test('a release that lost a file is not used: the agent goes to the empty one and fetches it again', async () => {
  const dir = newDir()
  await settle(rigIn(dir), a)
  writeFileSync(join(dir, 'current/rules.conf'), '# changed by hand\n')
  const rig = rigIn(dir)
  expect(rig.releases.etag).toBeNull()
  await settle(rig, a)
  expect([inUse(dir), rig.log.filter((it) => it.startsWith('release'))]).toEqual([
    'r-a',
    ['release-used', 'release-active'],
  ])
})

test('a state that cannot be read is like none: the release is fetched and used again', async () => {
  const dir = newDir()
  await settle(rigIn(dir), a)
  writeFileSync(join(dir, 'agent.json'), '{"format":1,')
  const rig = rigIn(dir)
  expect([rig.releases.state.active, rig.releases.etag]).toEqual([null, null])
  await settle(rig, a)
  expect(inUse(dir)).toBe('r-a')
})

test('one agent works in a folder: another process that lives is refused, the lock of a dead one is not', () => {
  const folder = new Folder(newDir())
  const unlock = lockFolder(folder)
  expect(readFileSync(folder.at('agent.pid'), 'utf8')).toBe(`${process.pid}\n`)
  unlock()
  expect(existsSync(folder.at('agent.pid'))).toBeFalse()
  writeFileSync(folder.at('agent.pid'), '1\n')
  expect(() => lockFolder(folder)).toThrow(`Another agent (process 1) uses the folder "${folder.path}".`)
  writeFileSync(folder.at('agent.pid'), '999999999\n')
  lockFolder(folder)()
})
