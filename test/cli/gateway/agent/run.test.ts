/** The command as an operator runs it: a process, a service over HTTP, and an engine that is a script. */
import { appendFileSync, chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'bun:test'
import { readJsonLines } from '../../../fixtures/gateway/lines.ts'
import type { Bundle } from '../../../../src/gateway/agent/bundle.ts'
import { bundleOf, gatewayKey, publicKey } from '../../../fixtures/gateway/bundle.ts'

const root = join(import.meta.dir, '../../../..')
const closing: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const folderOf = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-run-'))
  closing.push(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** A service that has one release at a time. */
function serviceOf(first: Bundle | null) {
  let bundle = first
  const statuses: unknown[] = []
  const events: Record<string, unknown>[] = []
  const waiting = new Set<() => void>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (request.headers.get('x-api-key') !== gatewayKey)
        return Response.json(
          { detail: { code: 'credentials-invalid', message: 'The credentials are invalid.' } },
          { status: 401 },
        )
      if (pathname.endsWith('/status')) {
        statuses.push(await request.json())
        return Response.json({})
      }
      if (pathname.endsWith('/events')) {
        const lines = gunzipSync(await request.arrayBuffer()).toString('utf8')
        const records = readJsonLines(lines)
        events.push(...records)
        return Response.json({ accepted: records.length, duplicates: 0, throttled: 0 })
      }
      const etag = `"${bundle?.releaseId}"`
      if (bundle !== null && request.headers.get('if-none-match') === etag) {
        await new Promise<void>((resolve) => waiting.add(resolve))
        if (request.headers.get('if-none-match') === `"${bundle.releaseId}"`) return new Response(null, { status: 304 })
      }
      if (bundle === null)
        return Response.json({ detail: { code: 'release-not-found', message: 'There is none.' } }, { status: 404 })
      return Response.json(bundle, { headers: { etag: `"${bundle.releaseId}"` } })
    },
  })
  const answer = (): void => {
    for (const resolve of waiting) resolve()
    waiting.clear()
  }
  closing.push(async () => {
    answer()
    await server.stop(true)
  })
  return {
    url: server.url.origin,
    port: server.port,
    statuses,
    events,
    offer(next: Bundle) {
      bundle = next
      answer()
    },
    async stop() {
      answer()
      await server.stop(true)
    },
  }
}

/** An engine whose reload fails while the file "broken" names the release that is linked. */
function engineIn(dir: string): string {
  const script = join(dir, 'engine.sh')
  writeFileSync(
    script,
    `#!/bin/sh
case $1 in
  validate) grep -q 'SYNTAX' "$SVC_RELEASE/svc.conf" && { echo "Rules error. Line 1: SYNTAX" >&2; exit 1; } ;;
  reload) grep -q 'CRASH' "${dir}/agent/current/svc.conf" && { echo "worker died" >&2; exit 2; }
    cp "${dir}/agent/current/svc.conf" "${dir}/loaded" ;;
esac
exit 0
`,
  )
  chmodSync(script, 0o755)
  return script
}

function start(dir: string, url: string, ...more: string[]) {
  const engine = engineIn(dir)
  const child = Bun.spawn(
    [
      process.execPath,
      'run',
      join(root, 'cli/main.ts'),
      'gateway',
      'run',
      '--url',
      url,
      '--dir',
      join(dir, 'agent'),
      '--engine',
      'nginx',
      '--validate',
      `${engine} validate`,
      '--reload',
      `${engine} reload`,
      '--watch',
      '0s',
      '--health',
      '',
      '--format',
      'ndjson',
      '--audit-log',
      join(dir, 'audit.log'),
      ...more,
    ],
    {
      env: { ...process.env, SVC_GATEWAY_KEY: gatewayKey, SVC_GATEWAY_PUBLIC_KEY: publicKey },
      stdout: 'pipe',
      stderr: 'pipe',
    },
  )
  closing.push(async () => {
    child.kill('SIGKILL')
    await child.exited
  })
  const seen: Record<string, unknown>[] = []
  const reading = (async () => {
    let rest = ''
    for await (const chunk of child.stdout) {
      const parts = (rest + new TextDecoder().decode(chunk)).split('\n')
      rest = parts.pop() ?? ''
      seen.push(...parts.filter((it) => it !== '').map((it) => JSON.parse(it) as Record<string, unknown>))
    }
  })()
  return { child, seen, reading, errors: () => new Response(child.stderr).text() }
}

const until = async (what: () => boolean): Promise<void> => {
  while (!what()) await Bun.sleep(20)
}
const release = (number: number, text: string): Bundle =>
  bundleOf(`r-${number}`, { 'svc.conf': `${text}\n` }, { number })

test('releases come, broken ones go back, the service goes away and comes back, SIGTERM ends the agent', async () => {
  const dir = folderOf()
  writeFileSync(join(dir, 'audit.log'), '')
  const service = serviceOf(release(1, '# one\nSecRule A "@rx a" "id:20001,phase:1,deny,tag:\'svc/rule/r1\'"'))
  const agent = start(dir, service.url, '--from-start')
  const loaded = (): string => (existsSync(join(dir, 'loaded')) ? readFileSync(join(dir, 'loaded'), 'utf8') : '')
  await until(() => service.statuses.length === 2)
  expect(service.statuses).toMatchObject([
    { releaseId: null, state: 'starting', error: null, engine: { kind: 'nginx', crs: null } },
    { releaseId: 'r-1', state: 'active', error: null, capabilities: [] },
  ])
  expect(loaded()).toContain('# one')
  expect(readFileSync(join(dir, 'agent/engine.conf'), 'utf8')).toContain(
    `Include ${join(dir, 'agent/audit.conf')}\nInclude ${join(dir, 'agent/current/probe.conf')}\nInclude ${join(dir, 'agent/current/svc.conf')}\n`,
  )

  service.offer(release(2, '# two SYNTAX'))
  await until(() => service.statuses.length === 3)
  service.offer(release(3, '# three CRASH'))
  await until(() => service.statuses.length === 4)
  expect(service.statuses.slice(2)).toMatchObject([
    {
      releaseId: 'r-2',
      state: 'failed',
      error: 'The engine does not accept the release.\nRules error. Line 1: SYNTAX\nexit code 1',
    },
    { releaseId: 'r-3', state: 'failed', error: 'The engine did not reload.\nworker died\nexit code 2' },
  ])
  expect(loaded()).toContain('# one')

  // Signed by another key: a proxy on the way cannot plant rules.
  service.offer({ ...release(4, '# four'), policyVersion: 99 })
  await until(() => agent.seen.some((it) => it['event'] === 'release-not-used'))
  expect([loaded().includes('# one'), service.statuses.length]).toEqual([true, 4])

  await service.stop()
  await until(() => agent.seen.some((it) => it['event'] === 'service-not-reached'))
  const record = {
    transaction: {
      id: 'tx',
      unix_timestamp: Date.now() * 1e6,
      client_ip: '198.51.100.7',
      request: { method: 'GET', uri: '/pets/7?q=secret' },
      is_interrupted: true,
    },
    messages: [{ data: { id: 20_001, tags: ['svc/rule/r1'] } }],
  }
  appendFileSync(join(dir, 'audit.log'), `${JSON.stringify(record)}\n`)
  await until(() => existsSync(join(dir, 'agent/spool/000000000001.ndjson')))
  expect(loaded()).toContain('# one')
  agent.child.kill('SIGTERM')
  expect(await agent.child.exited).toBe(0)
  await agent.reading
  expect([...new Set(agent.seen.map((it) => it['event']))]).toEqual([
    'started',
    'release-used',
    'release-active',
    'release-failed',
    'returned',
    'release-not-used',
    'service-not-reached',
    'stopped',
  ])
  expect(existsSync(join(dir, 'agent/agent.pid'))).toBeFalse()

  const later = serviceOf(release(5, '# five'))
  const next = start(dir, later.url)
  await until(() => later.events.length === 1 && existsSync(join(dir, 'loaded')) && loaded().includes('# five'))
  expect(later.events).toMatchObject([
    { kind: 'match', releaseId: 'r-1', action: 'block', ruleRef: 'rule:r1', route: '/pets/{id}' },
  ])
  next.child.kill('SIGTERM')
  expect(await next.child.exited).toBe(0)
})

test('once: the present release is used, and the exit code says what came of it', async () => {
  const dir = folderOf()
  const service = serviceOf(null)
  const run = async (...more: string[]) => {
    const { child, errors } = start(dir, service.url, '--once', ...more)
    const text = await errors()
    return { exit: await child.exited, text }
  }
  expect(await run()).toMatchObject({ exit: 0 })
  service.offer(release(1, '# one'))
  expect(await run()).toMatchObject({ exit: 0 })
  expect(readFileSync(join(dir, 'loaded'), 'utf8')).toBe('# one\n')
  service.offer(release(2, '# SYNTAX'))
  const failed = await run()
  expect([failed.exit, failed.text]).toEqual([
    6,
    expect.stringContaining('Release r-2 was rejected; the gateway continues with r-1.'),
  ])
  service.offer({ ...release(3, '# three'), keyId: 'other' })
  const forged = await run()
  expect([forged.exit, forged.text]).toEqual([
    6,
    expect.stringContaining('its signature is not by the pinned public key'),
  ])
  await service.stop()
  const away = await run()
  expect([away.exit, away.text]).toEqual([1, expect.stringContaining(`The service at ${service.url} did not answer`)])
  expect(readFileSync(join(dir, 'loaded'), 'utf8')).toBe('# one\n')
})
