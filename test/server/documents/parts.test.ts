/** The parts of documentation as the service sends them: who gets them, how long they may be kept, and what they say. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWeb } from '../../../server/web/serve.ts'
import type { ChangesPart, OperationPart, ReaderIndex } from '../../../src/api/reader.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openPetsProject, type PetsProject } from '../../fixtures/pets-project.ts'

const pets = (version: string, more = ''): string =>
  `openapi: 3.1.0
info: { title: Pets, version: ${version} }
servers: [{ url: https://api.example.com }]
paths:
  /pets: { get: { summary: List pets, responses: { 200: { description: Fine } } } }
${more}`
const base = '/v1/swagger/local/pets'

onBothEngines('parts of documentation', (makeDb) => {
  let it: PetsProject
  beforeAll(async () => {
    await openWeb()
    it = await openPetsProject(await makeDb())
    const versions = [
      ['1.0.0', 'public', ''],
      ['1.1.0', 'private', '  /toys: { get: { responses: { 200: { description: Fine } } } }\n'],
      ['2.0.0', 'public', '  /shops: { get: { responses: { 200: { description: Fine } } } }\n'],
    ] as const
    for (const [label, visibility, more] of versions) {
      await it.send('POST', '', { label, content: pets(label, more) })
      await it.send('POST', `/${label}/publish`, { visibility, force: true, force_reason: 'a test' })
    }
  }, 60_000)
  afterAll(async () => {
    await it.service.stop()
    expect(it.faults).toEqual([])
  })
  const json = async <T>(path: string, headers = {}): Promise<T> =>
    (await (await it.get(base + path, headers)).json()) as T

  test('each is sent with what says how long it may be kept, compressed or not', async () => {
    const index = await json<ReaderIndex>('/2.0.0/index')
    expect(index.operations.map(({ path }) => path)).toEqual(['/pets', '/shops'])
    const seen = async (path: string, headers: Record<string, string> = {}) => {
      const response = await it.get(base + path, headers)
      await response.arrayBuffer()
      return [response.status, response.headers.get('cache-control'), response.headers.get('content-encoding')]
    }
    const etag = `"${index.stamp}-index"`
    expect(await seen('/2.0.0/index')).toEqual([200, 'public, no-cache', null])
    expect(await seen('/2.0.0/index', { 'accept-encoding': 'gzip' })).toEqual([200, 'public, no-cache', 'gzip'])
    expect(await seen('/2.0.0/index', { 'if-none-match': etag })).toEqual([304, 'public, no-cache', null])
    const kept = `/2.0.0/operation-0?of=${index.stamp}`
    expect(await seen(kept)).toEqual([200, 'private, max-age=31536000, immutable', null])
    expect(await seen('/2.0.0/operation-0?of=old')).toEqual([200, 'public, no-cache', null])
    expect((await json<OperationPart>(kept)).operation.summary).toBe('List pets')
  })

  test('what is not there, and what a reader may not see, is refused as the document is', async () => {
    const code = async (path: string, headers = {}) =>
      (await json<{ detail: { code: string } }>(path, headers)).detail.code
    expect(await code('/2.0.0/operation-2')).toBe('documentation-part-not-found')
    expect(await code('/2.0.0/constructor')).toBe('documentation-part-not-found')
    expect(await code('/1.1.0/index')).toBe('credentials-missing')
    expect(await code('/3.0.0/index')).toBe('credentials-missing')
    expect(await code('/3.0.0/index', { 'x-api-key': it.key })).toBe('version-not-found')
    expect((await json<ReaderIndex>(`/1.1.0/index?api_key=${it.key}`)).version).toBe('1.1.0')
  })

  test('a browser gets the sign-in with a way back, or a page; programs get JSON', async () => {
    const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const seen = async (path: string, headers: Record<string, string>) => {
      const response = await it.get(path, headers)
      const text = await response.text()
      const said = /<p>(.*?)<\/p>/.exec(text)?.[1] ?? /"code":"([^"]+)"/.exec(text)?.[1]
      return [response.status, response.headers.get('location') ?? said]
    }
    const signIn = (path: string) => `/app/sign-in?back=${encodeURIComponent(path)}`
    for (const path of [`${base}/1.1.0`, `${base}/3.0.0`, '/v1/swagger/nowhere/pets/1.0.0?view=workflows']) {
      expect(await seen(path, html)).toEqual([302, signIn(path)])
      expect(await seen(path, {})).toEqual([401, 'credentials-missing'])
    }
    expect(await seen(`${base}/1.1.0?api_key=wrong&x=1`, html)).toEqual([
      401,
      'Invalid credentials: the checksum of the key does not match; it may be incomplete.',
    ])
    expect(await seen(`${base}/3.0.0`, { ...html, 'x-api-key': it.key })).toEqual([
      404,
      'The project &quot;pets&quot; has no version &quot;3.0.0&quot;.',
    ])
    expect(await seen(base, html)).toEqual([404, expect.stringContaining('/v1/swagger/local/pets')])
    expect(await seen(base, {})).toEqual([404, 'route-not-found'])
    expect(await seen('/v1/schema/local/pets/1.1.0', html)).toEqual([401, 'credentials-missing'])
  })

  test('changes and the versions to choose from are those that the reader may see', async () => {
    const labels = async (headers = {}) =>
      (await json<ChangesPart>('/2.0.0/changes', headers)).versions.map(({ label, page }) => [label, page])
    const all = ['2.0.0', '1.1.0', '1.0.0'].map((label) => [label, `${base}/${label}`])
    expect(await labels({ 'x-api-key': it.key })).toEqual(all)
    expect(await labels()).toEqual(all.filter(([label]) => label !== '1.1.0'))
    const offered = async (headers = {}) => {
      const html = await (await it.get(`${base}/2.0.0`, headers)).text()
      return [...html.matchAll(/<li><a href="([^"]+)"/g)].map(([, href]) => href)
    }
    expect(await offered({ 'x-api-key': it.key })).toEqual(
      ['2.0.0', '1.1.0', '1.0.0'].map((label) => `${base}/${label}`),
    )
    expect(await offered()).toEqual(['2.0.0', '1.0.0'].map((label) => `${base}/${label}`))
  })
})
