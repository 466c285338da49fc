import { afterAll, beforeAll, expect, test } from 'bun:test'
import { versionsApi } from '../../../src/api/versions.ts'
import { seedSample } from '../../../server/sample/seed.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { startService, type TestService } from '../../fixtures/service.ts'

onBothEngines('rendered documents', (makeDb) => {
  let it: TestService
  beforeAll(async () => {
    it = await startService(await makeDb())
    await seedSample(it.call, it.tenant)
  })
  afterAll(() => it.service.stop())
  const json = async (path: string) => (await (await it.get(path)).json()) as Record<string, never>

  test('whole and per class, JSON and YAML by content negotiation', async () => {
    expect((await json('/v1/schema/local/bookshop/1.0.0'))['openapi']).toBe('3.1.0' as never)
    expect(Object.keys((await json('/v1/json/local/bookshop/1.0.0'))['$defs'] ?? {}).toSorted()).toEqual([
      'Book',
      'BookPage',
      'Money',
      'NewOrder',
      'Order',
      'OrderItem',
      'Problem',
    ])
    const money = await json('/v1/schema/local/bookshop/1.0.0/Money')
    expect(Object.keys((money['components'] as unknown as { schemas: object }).schemas)).toContain('Money')
    const yaml = await it.get('/v1/json/local/bookshop/1.0.0/Money', {
      accept: 'application/yaml;q=0.9, application/json;q=0.1',
    })
    expect([yaml.headers.get('content-type'), (await yaml.text()).includes('2020-12/schema')]).toEqual([
      'application/yaml',
      true,
    ])
    const missing = await it.get('/v1/json/local/bookshop/1.0.0/Nothing')
    expect([missing.status, ((await missing.json()) as { detail: { code: string } }).detail.code]).toEqual([
      404,
      'class-not-found',
    ])
    const none = await it.get('/v1/arazzo/local/bookshop/1.0.0')
    expect([none.status, ((await none.json()) as { detail: { code: string } }).detail.code]).toEqual([
      404,
      'no-workflows',
    ])
  })

  test('the page names its document and forbids every other origin', async () => {
    const page = await it.get('/v1/swagger/local/bookshop/latest')
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await page.text()).toContain('/v1/schema/local/bookshop/2.0.0')
  })

  test('a document that was just sent is sent again with the same bytes, and forgotten when its version changes', async () => {
    const path = '/v1/schema/local/bookshop/1.0.0'
    const [first, second] = [await it.get(path), await it.get(path)]
    expect(await second.text()).toBe(await first.text())
    const unlike = (response: Response) => [...response.headers].filter(([name]) => name !== 'x-request-id')
    expect(unlike(second)).toEqual(unlike(first))
    const etag = first.headers.get('etag') ?? ''
    expect((await it.get(path, { 'if-none-match': etag })).status).toBe(304)
    expect((await it.get(path, { 'x-api-key': 'svk_wrong' })).status).toBe(401)
    const params = { tenant_slug: 'local', project_ref: 'bookshop', version_ref: '1.0.0' }
    await it.call(versionsApi.deprecate, { params, body: {} })
    expect((await it.get(path)).headers.has('deprecation')).toBe(true)
  })

  test('sent in the coding the reader takes, each with its own ETag and the same content', async () => {
    const path = '/v1/schema/local/bookshop/2.0.0'
    const plain = await it.get(path)
    const text = await plain.text()
    const read = async (accepted: string) => {
      const response = await it.get(path, { 'accept-encoding': accepted })
      const bytes = new Uint8Array(await response.arrayBuffer())
      const coding = response.headers.get('content-encoding')
      const decoded =
        coding === 'gzip' ? Bun.gunzipSync(bytes) : coding === 'zstd' ? Bun.zstdDecompressSync(bytes) : bytes
      expect(new TextDecoder().decode(decoded)).toBe(text)
      return [coding, response.headers.get('etag')?.replace(plain.headers.get('etag')?.slice(0, -1) ?? '?', '')]
    }
    expect(await read('gzip, deflate, br, zstd')).toEqual(['zstd', '-zstd"'])
    expect(await read('gzip;q=0.5, zstd;q=0')).toEqual(['gzip', '-gzip"'])
    expect(await read('identity')).toEqual([null, '"'])
    const again = await it.get(path, {
      'accept-encoding': 'gzip',
      'if-none-match': (await it.get(path, { 'accept-encoding': 'gzip' })).headers.get('etag') ?? '',
    })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  test('nobody learns without credentials what is private or missing', async () => {
    const bodies = await Promise.all(
      ['/v1/schema/local/bookshop/9.9.9', '/v1/schema/local/nothing/1.0.0', '/v1/schema/nobody/bookshop/1.0.0'].map(
        async (path) => {
          const response = await it.get(path)
          return [response.status, await response.text()]
        },
      ),
    )
    expect(new Set(bodies.map(String)).size).toBe(1)
    expect(bodies[0]?.[0]).toBe(401)
  })
})
