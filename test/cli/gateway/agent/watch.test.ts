/** What the agent sees of a gateway after a reload. */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'bun:test'
import { confirmRelease, probeText } from '../../../../cli/gateway/agent/probe.ts'
import { watchOf } from '../../../../cli/gateway/agent/watch.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})
const digest = 'a'.repeat(64)
const other = 'b'.repeat(64)
const never = new AbortController().signal

/** A gateway that has the rules of one release, as its file says them; null: none. */
function gatewayOf(state: { digest: string | null; status: number }) {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch({ headers }) {
      const [, name = '', token] = /REQUEST_HEADERS:(\S+) "@streq (\w+)"/.exec(probeText(state.digest)) ?? []
      const refuses = name !== '' && headers.get(name) === token
      return new Response(null, { status: refuses ? 418 : state.status })
    },
  })
  closing.push(() => server.stop(true))
  return server.url.href
}
const watch = (health: string | null, over: { probes?: boolean; errorLog?: string; forMs?: number } = {}) =>
  watchOf({
    health,
    probes: over.probes ?? true,
    errorLog: over.errorLog ?? null,
    fatal: /\[emerg\]/,
    folder: 'DIR',
    forMs: over.forMs ?? 0,
    everyMs: 1,
    graceMs: 20,
  }).watch(digest, never)

test('a gateway that answers and uses the release is fine', async () => {
  const url = gatewayOf({ digest, status: 404 })
  expect([await watch(url), await watch(null)]).toEqual([null, null])
})

test('one that answers without the release, or with another one, does not use it', async () => {
  for (const used of [null, other]) {
    const url = gatewayOf({ digest: used, status: 200 })
    const error = `The gateway answers at ${url} without the release. Does that site include DIR/engine.conf (Caddy: DIR/current/site.caddyfile)?`
    expect(await watch(url)).toEqual({ error, isSilent: false })
    expect(await watch(url, { probes: false })).toBeNull()
    expect(await confirmRelease(url, digest, 'DIR', never)).toBe(error)
  }
})

test('a site that answers everything with that status proves nothing', async () => {
  const url = gatewayOf({ digest: null, status: 418 })
  expect(await watch(url)).toMatchObject({ isSilent: false })
})

test('one that fails three times in a row is left; one that recovers is kept', async () => {
  const broken = gatewayOf({ digest, status: 502 })
  expect(await watch(broken)).toEqual({
    error: `The gateway does not answer at ${broken}: it answered 502`,
    isSilent: true,
  })
  let left = 2
  const state = {
    digest,
    get status() {
      return left-- > 0 ? 503 : 200
    },
  }
  expect(await watch(gatewayOf(state))).toBeNull()
  expect(await watch('http://127.0.0.1:1/')).toMatchObject({ isSilent: true })
})

test('what the error log says after the reload counts, what it said before does not', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-watch-'))
  closing.push(() => rmSync(dir, { recursive: true, force: true }))
  const errorLog = join(dir, 'error.log')
  writeFileSync(errorLog, '[emerg] old\n')
  expect(await watch(null, { errorLog })).toBeNull()
  const watching = watch(null, { errorLog, forMs: 100_000 })
  appendFileSync(errorLog, 'fine\n[emerg] the rules are wrong\n')
  expect(await watching).toEqual({ error: 'The engine reports: [emerg] the rules are wrong', isSilent: false })
})
