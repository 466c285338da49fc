/** The public portal: what it shows and to which callers, and that it says nothing of what is not published for everybody. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { drawBadge } from '../../server/portal/badge.ts'
import { listProjects } from '../../server/portal/list.ts'
import { openWeb } from '../../server/web/serve.ts'
import type { Listed } from '../../server/portal/catalogue.ts'
import { portalApi } from '../../src/api/portal.ts'
import { projectsApi } from '../../src/api/projects.ts'
import { onBothEngines } from '../fixtures/engines.ts'
import { openPetsProject, type PetsProject } from '../fixtures/pets-project.ts'

/** A portal about which nothing was decided. */
const plain = { title: null, introduction: null, logo: null, show_grades: false, show_owners: false }

const document = (title: string, paths = '{}'): string =>
  `openapi: 3.1.0\ninfo: { title: ${title}, version: 1.0.0, description: All about <b>${title}</b> }\npaths: ${paths}\n`

onBothEngines('the portal', (makeDb) => {
  let it: PetsProject
  const params = { tenant_slug: 'local' }
  beforeAll(async () => {
    await openWeb()
    it = await openPetsProject(await makeDb())
  }, 60_000)
  afterAll(() => it.service.stop())
  const publish = async (label: string, visibility: string, paths?: string) => {
    await it.send('POST', '', { label, content: document('Pets', paths) })
    await it.send('POST', `/${label}/publish`, { visibility, force: true, force_reason: 'a test' })
  }
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await it.get(path, headers)
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const paths = ['/p/local', '/p/local/feed.atom', '/p/local/pets/badge/version.svg']
  const statuses = async () => Promise.all(paths.map(async (path) => (await get(path)).status))

  test('is not there before something is published for everybody, like that of an unknown organization', async () => {
    await publish('0.9.0', 'private')
    expect(await statuses()).toEqual([404, 404, 404])
    const bare = ({ text }: { text: string }) => text.replaceAll(/"request_id":"[^"]*"/g, '')
    expect(bare(await get('/p/local'))).toBe(bare(await get('/p/nowhere')))
    const html = { accept: 'text/html' }
    expect((await get('/p/local', html)).text).toBe((await get('/p/nowhere', html)).text)
  })

  test('lists projects with their latest public version, and leads to it', async () => {
    await publish('1.0.0', 'public', '{ /pets: { get: { responses: { 200: { description: Fine } } } } }')
    await publish('2.0.0', 'private')
    await it.call(portalApi.change, { params, body: { enabled: true } })
    // What was not there is asked for again after five seconds at most; another replica would do so too.
    const fresh = await it.call(portalApi.change, { params, body: { enabled: false } })
    expect(fresh).toEqual({ ...plain, enabled: false, url: 'http://svc.test/p/local', projects: 1 })
    expect(await statuses()).toEqual([404, 404, 404])
    expect(await it.call(portalApi.change, { params, body: { enabled: true } })).toEqual({ ...fresh, enabled: true })
    expect(await statuses()).toEqual([200, 200, 200])
    const { text, headers } = await get('/p/local')
    expect(headers.get('content-security-policy')).toContain("script-src 'self'")
    expect([...text.matchAll(/<h2><a href="([^"]+)">([^<]+)/g)].map(([, href, name]) => [href, name])).toEqual([
      ['/v1/swagger/local/pets/1.0.0', 'Pets'],
    ])
    expect(text).toContain('All about &lt;b&gt;Pets&lt;/b&gt;')
    expect(text).not.toContain('2.0.0')
    const links = [...text.matchAll(/<a href="([^"]+)" aria-label="([^"]+)"/g)].map(([, href, name]) => [name, href])
    expect(links).toEqual([
      ['Documentation of Pets', '/v1/swagger/local/pets/1.0.0'],
      ['Changes of Pets', '/v1/swagger/local/pets/1.0.0#changes'],
      ['Document of Pets', '/v1/schema/local/pets/1.0.0'],
      ['Atom feed of Pets', '/v1/tenants/local/projects/pets/changes.atom'],
    ])
    expect((await get('/p/local?q=nothing')).text).toContain('0 APIs of 1.')
  })

  test('has a title, an introduction, a logo and grades where somebody chose so, and keeps what is left out', async () => {
    const change = (body: Parameters<typeof it.call<typeof portalApi.change>>[1]['body']) =>
      it.call(portalApi.change, { params, body })
    const logo = `data:image/png;base64,${Buffer.from('picture').toString('base64')}`
    expect((await get('/p/local')).text).not.toContain('Grade ')
    await change({ title: 'Rail & Co', introduction: 'Our **APIs** <script>x</script>', logo, show_grades: true })
    const { text } = await get('/p/local')
    expect(/<h1>([^<]*)/.exec(text)?.[1]).toBe('Rail &amp; Co')
    expect(/<div class="introduction">(.*?)<\/div>/s.exec(text)?.[1]?.trim()).toMatch(
      /^<p>Our <strong>APIs<\/strong> *<\/p>$/,
    )
    expect(text).toContain(`<img src="${logo}" alt="" class="logo">`)
    expect(text).toMatch(/Grade [A-F]</)
    expect(await change({ title: null })).toEqual({
      enabled: true,
      url: 'http://svc.test/p/local',
      projects: 1,
      title: null,
      introduction: 'Our **APIs** <script>x</script>',
      logo,
      show_grades: true,
      show_owners: false,
    })
    await change({ introduction: null, logo: null, show_grades: false })
    for (const wrong of ['https://example.com/a.png', 'data:text/html;base64,AAAA', 'data:image/svg+xml;base64,a"b'])
      expect(await change({ logo: wrong }).catch((error: { code?: string }) => error.code)).toBe('request-invalid')
    expect(await it.call(portalApi.setting, { params })).toMatchObject(plain)
  })

  test('names the owners of projects only where somebody chose so, and finds nothing by them otherwise', async () => {
    await it.call(projectsApi.update, { params: { ...params, project_ref: 'pets' }, body: { owner: 'payments-team' } })
    const change = (on: boolean) => it.call(portalApi.change, { params, body: { show_owners: on } })
    const shown = async () => [
      (await get('/p/local')).text.includes('payments-team'),
      (await get('/p/local?q=payments-team')).text.includes('role="status">1 API'),
    ]
    await change(true)
    expect(await shown()).toEqual([true, true])
    await change(false)
    expect(await shown()).toEqual([false, false])
  })

  test('finds operations of what it lists, and says to search engines what there is', async () => {
    const { text } = await get('/p/local?q=pets')
    expect(
      [...text.matchAll(/<li><a class="mono" href="([^"]+)">([^<]+)/g)].map(([, href, ref]) => [href, ref]),
    ).toEqual([['/v1/swagger/local/pets/1.0.0#GET%20%2Fpets', 'GET /pets']])
    expect((await get('/p/local')).text).not.toContain('id="operations"')
    expect(text).toContain('<link rel="canonical" href="http://svc.test/p/local">')
    expect(text).toContain('<meta property="og:title" content="APIs of ')
    const map = await get('/p/local/sitemap.xml')
    expect([...map.text.matchAll(/<loc>([^<]+)/g)].map(([, at]) => at)).toEqual([
      'http://svc.test/p/local',
      'http://svc.test/v1/swagger/local/pets/1.0.0',
    ])
    expect(map.headers.get('content-type')).toBe('application/xml; charset=utf-8')
    expect((await get('/p/nowhere/sitemap.xml')).status).toBe(404)
    expect((await get('/robots.txt')).text.split('\n').slice(0, 2)).toEqual(['User-agent: *', 'Allow: /p/'])
  })

  test('members get the badges of a project with what shows them: nothing, while none of its versions is public', async () => {
    const of = (ref: string) => it.call(portalApi.badges, { params: { ...params, project_ref: ref } })
    await it.call(projectsApi.create, { params, body: { name: 'Quiet' } })
    const [version] = (await of('pets')).badges
    expect([(await of('pets')).version_label, (await of('quiet')).version_label]).toEqual(['1.0.0', null])
    expect(version).toEqual({
      kind: 'version',
      url: 'http://svc.test/p/local/pets/badge/version.svg',
      markdown: '[![version](http://svc.test/p/local/pets/badge/version.svg)](http://svc.test/p/local?q=pets)',
      html: '<a href="http://svc.test/p/local?q=pets"><img src="http://svc.test/p/local/pets/badge/version.svg" alt="version" height="20"></a>',
    })
    expect((await of('quiet')).badges.map(({ kind }) => kind)).toEqual(['version', 'grade', 'compatible'])
    expect(await of('nothing').catch((error: { code?: string }) => error.code)).toBe('project-not-found')
  })

  test('the feed and the badges say the same, and may be kept', async () => {
    const feed = await get('/p/local/feed.atom')
    expect([...feed.text.matchAll(/<link rel="alternate" href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
      'http://svc.test/v1/swagger/local/pets/1.0.0',
    ])
    const said = async (kind: string) => /<title>([^<]+)/.exec((await get(`/p/local/pets/badge/${kind}.svg`)).text)?.[1]
    expect(await Promise.all(['version', 'compatible'].map(said))).toEqual(['version: 1.0.0', 'compatible: yes'])
    expect(await said('grade')).toMatch(/^API grade: [A-F]$/)
    const badge = await get('/p/local/pets/badge/version.svg')
    expect([badge.headers.get('content-type'), badge.headers.get('cache-control')]).toEqual([
      'image/svg+xml; charset=utf-8',
      'public, max-age=300',
    ])
    expect(badge.text.length).toBeLessThan(1000)
    const etag = badge.headers.get('etag') ?? ''
    expect((await get('/p/local/pets/badge/version.svg', { 'if-none-match': etag })).status).toBe(304)
    await publish('3.0.0', 'public')
    await it.call(portalApi.change, { params, body: { enabled: false } })
    await it.call(portalApi.change, { params, body: { enabled: true } })
    expect(await Promise.all(['version', 'compatible'].map(said))).toEqual(['version: 3.0.0', 'compatible: yes'])
    expect((await get('/p/local/other/badge/version.svg')).status).toBe(404)
    expect(await it.call(portalApi.setting, { params })).toEqual({
      ...plain,
      enabled: true,
      url: 'http://svc.test/p/local',
      projects: 1,
    })
    expect(it.faults).toEqual([])
  })
})

const listed = (slug: string, more: Partial<Listed> = {}): Listed => ({
  slug,
  name: slug.toUpperCase(),
  description: '',
  lifecycle: null,
  owner: null,
  tags: [],
  versionId: slug,
  label: '1',
  status: 'published',
  format: 'openapi',
  grade: 'A',
  operations: 1,
  publishedAt: '2026-01-01',
  versions: 1,
  page: `/${slug}`,
  document: `/${slug}.yaml`,
  ...more,
})
const asked = { q: '', format: '', lifecycle: '', tag: '', grade: '', sort: 'name', page: 1 } as const

test('the list is narrowed by words and facets, ordered, and in pages', async () => {
  const all = [
    listed('b', { tags: ['x', 'y'], grade: 'B', publishedAt: '2026-03-01' }),
    listed('a', { tags: ['x'], description: 'Payment of bills' }),
    listed('c', { format: 'arazzo', lifecycle: 'production', grade: null }),
  ]
  const slugs = async (more: object) =>
    (await listProjects(all, { ...asked, ...more }, { showsGrades: true })).items.map(({ slug }) => slug)
  expect(await slugs({})).toEqual(['a', 'b', 'c'])
  expect(await slugs({ sort: 'newest' })).toEqual(['b', 'a', 'c'])
  expect(await slugs({ q: 'bills PAY' })).toEqual(['a'])
  expect(await slugs({ tag: 'x', grade: 'B' })).toEqual(['b'])
  expect(await slugs({ lifecycle: 'production' })).toEqual(['c'])
  expect(
    (await listProjects(all, asked, { showsGrades: true })).facets.map(({ name, values }) => [name, values]),
  ).toEqual([
    [
      'format',
      [
        ['arazzo', 1],
        ['openapi', 2],
      ],
    ],
    [
      'tag',
      [
        ['x', 2],
        ['y', 1],
      ],
    ],
    [
      'grade',
      [
        ['A', 1],
        ['B', 1],
      ],
    ],
  ])
  // Where grades are not shown, nothing is found by them.
  const hidden = await listProjects(all, { ...asked, grade: 'B' }, { showsGrades: false })
  expect([hidden.total, hidden.facets.map(({ name }) => name)]).toEqual([3, ['format', 'tag']])
  const many = Array.from({ length: 120 }, (_, at) => listed(`p${String(at).padStart(3, '0')}`))
  const { pages, total, items } = await listProjects(many, { ...asked, page: 9 }, { showsGrades: false })
  expect([pages, total, items.length, items[0]?.slug]).toEqual([3, 120, 20, 'p100'])
})

test('a badge is a small picture whose text stays a text', () => {
  const svg = drawBadge({ subject: 'version', state: `<script>"&' ${'x'.repeat(60)}`, tone: 'good' })
  expect(svg).not.toContain('<script>')
  expect(/<title>([^<]*)<\/title>/.exec(svg)?.[1]).toBe(`version: &lt;script&gt;&quot;&amp;' ${'x'.repeat(27)}…`)
  expect([...svg.matchAll(/(?:href|src|url)\s*[=(]\s*["']?([^"')]*)/g)].map(([, to]) => to)).toEqual(['#r'])
})
