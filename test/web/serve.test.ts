import { expect, test } from 'bun:test'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { openWeb } from '../../server/web/serve.ts'

const web = await openWeb()
const ask = (path: string, init?: RequestInit): Response | null =>
  web.serve(new Request(`http://svc.test${path}`, init))
const must = (path: string, init?: RequestInit): Response => {
  const answer = ask(path, init)
  if (!answer) throw new Error(`nothing at ${path}`)
  return answer
}
const script = `/app/${web.entries.app.script}`

test('a named file is immutable, typed and the same in both codings', async () => {
  const plain = must(script)
  const small = must(script, { headers: { 'accept-encoding': 'gzip, deflate, br' } })
  expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(plain.headers.get('vary')).toBe('Accept-Encoding')
  expect(plain.headers.get('content-encoding')).toBe(null)
  expect(small.headers.get('content-encoding')).toBe('br')
  expect(small.headers.get('etag')).not.toBe(plain.headers.get('etag'))
  const bytes = await plain.bytes()
  const packed = await small.bytes()
  expect(small.headers.get('content-length')).toBe(String(packed.length))
  expect(new Uint8Array(brotliDecompressSync(packed))).toEqual(bytes)
})

test('brotli only where it is wanted', () => {
  const coding = (accept: string): string | null =>
    must(script, { headers: { 'accept-encoding': accept } }).headers.get('content-encoding')
  expect(['br', 'br;q=0.5', 'br;q=0', 'br; q=0.000', 'brotli', 'gzip', ''].map(coding)).toEqual([
    'br',
    'br',
    null,
    null,
    null,
    null,
    null,
  ])
})

test('a matching ETag is answered 304 without a body', async () => {
  const etag = must(script).headers.get('etag') ?? ''
  for (const condition of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
    const answer = must(script, { headers: { 'if-none-match': condition } })
    expect([condition, answer.status, (await answer.bytes()).length]).toEqual([condition, 304, 0])
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  }
  expect(must(script, { headers: { 'if-none-match': '"x"' } }).status).toBe(200)
  const foreignCoding = must(script, { headers: { 'if-none-match': etag, 'accept-encoding': 'br' } })
  expect(foreignCoding.status).toBe(200)
})

test('every path of the application gets its page, under the strict policy', async () => {
  for (const path of ['/app', '/app/', '/app/claim', '/app/acme/trains/1.0.0?x=%00', '/app/__proto__']) {
    const answer = must(path)
    expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, 200, 'no-cache'])
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    )
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await answer.text()).toContain(`<script type="module" src="${script}">`)
  }
})

test('HEAD says what GET would', async () => {
  const get = must(script)
  const head = must(script, { method: 'HEAD' })
  expect((await head.bytes()).length).toBe(0)
  expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(get.headers))
})

test('leaves to others what is not its own', () => {
  expect(
    [
      ask('/'),
      ask('/application'),
      ask('/v1/openapi.json'),
      ask('/app/assets/none.js'),
      ask('/app', { method: 'POST' }),
    ].every((it) => it === null),
  ).toBe(true)
})

/** What a browser fetches for some files: they, and whatever they import before they run. Bytes with brotli, by path. */
const fetched = async (paths: readonly string[], seen = new Map<string, number>()): Promise<Map<string, number>> => {
  for (const path of paths) {
    if (seen.has(path)) continue
    const text = await must(`/app/${path}`).text()
    seen.set(path, brotliCompressSync(text).length)
    const imported = [...text.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g)]
    await fetched(
      imported.map(([, name]) => `assets/${name}`),
      seen,
    )
  }
  return seen
}
const sum = (sizes: Iterable<number>): number => [...sizes].reduce((total, bytes) => total + bytes, 0)

test('all that the application loads is at most 200 KiB with brotli, and no piece of what comes later weighs more than 160 KiB', async () => {
  const first = await fetched([web.entries.app.script, ...web.entries.app.styles])
  expect(sum(first.values())).toBeLessThanOrEqual(200 * 1024)
  const text = await must(script).text()
  const later = [...text.matchAll(/import\(["'`]\.\/([\w.-]+\.js)["'`]\)/g)].map(([, name]) => `assets/${name}`)
  expect(later.length).toBeGreaterThan(0)
  for (const piece of later) {
    const more = [...(await fetched([piece], new Map(first)))].filter(([path]) => !first.has(path))
    expect(sum(more.map(([, bytes]) => bytes))).toBeLessThanOrEqual(160 * 1024)
  }
})
