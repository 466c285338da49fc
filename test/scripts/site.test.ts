/** The static site: every link of it leads to a file, from a folder of a host or from the disk, and it works in a browser. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { registry } from '../../cli/registry.gen.ts'
import { writeSite } from '../../scripts/site/build.ts'
import { feedOf, releasesOf } from '../../scripts/site/feed.ts'
import { screens } from '../../scripts/site/screens.ts'
import { rules as changeRules } from '../../src/diff/rules.ts'
import { catalogue } from '../../src/errors.ts'
import { rules as lintRules } from '../../src/lint/rules.gen.ts'
import { compareTexts } from '../../src/playground/compare.ts'
import { lintText } from '../../src/playground/lint.ts'
import { type Input, readAddress } from '../../web/playground/address.ts'
import { accessibilityFailures, openBrowser, watch } from '../fixtures/browser.ts'

setDefaultTimeout(120_000)
const root = join(import.meta.dir, '../..')
const address = 'https://docs.example.com/svc/'

let folder: string
const files = new Map<string, string>()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-site-'))
  await writeSite({
    root,
    out: folder,
    address,
    version: '0.2.0, next',
    home: '',
    released: ['0.1.0'],
    updated: '2026-01-31T12:00:00Z',
    // Any picture: those of the application are taken by the command.
    screens: new Map(screens.flatMap(({ name }) => ['light', 'dark'].map((it) => [`${name}-${it}`, new Uint8Array()]))),
  })
  for await (const path of new Bun.Glob('**/*').scan({ cwd: folder }))
    files.set(path.replaceAll('\\', '/'), path.endsWith('.png') ? '' : await Bun.file(join(folder, path)).text())
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const pagesOf = (): [string, string][] => [...files].filter(([path]) => path.endsWith('.html') && path !== 'play.html')
const attributesOf = (html: string): string[] =>
  [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map((match) => match[1]?.replaceAll('&amp;', '&') ?? '')

/** The file that a link of a page leads to; null for other hosts. */
function targetOf(path: string, link: string): string | null {
  if (/^(https?|mailto|data):/.test(link)) return link.startsWith(address) ? link.slice(address.length) : null
  const base = path === '404.html' ? '' : posix.dirname(path)
  const plain = link.startsWith('/svc/') ? link.slice('/svc/'.length) : posix.join(base, link)
  return decodeURIComponent(plain)
}

describe('the files', () => {
  test('every link leads to a file, and every fragment to a place in it', () => {
    const broken: string[] = []
    for (const [path, html] of pagesOf())
      for (const link of attributesOf(html)) {
        const [to = '', fragment] = link.split('#')
        const target = to === '' ? path : targetOf(path, to)
        if (target === null) continue
        const text = files.get(target)
        const hasPlace = fragment === undefined || target === 'play.html' || text?.includes(`id="${fragment}"`)
        if (text === undefined || hasPlace !== true) broken.push(`${path}: ${link}`)
      }
    expect(broken).toEqual([])
  })

  test('no link begins at the top of a host, except where no file is', () => {
    for (const [path, html] of pagesOf())
      if (path !== '404.html') expect([path, attributesOf(html).filter((it) => it.startsWith('/'))]).toEqual([path, []])
  })

  test('every page can be reached by links from the first one', () => {
    const reached = new Set(['index.html', '404.html'])
    const queue = ['index.html']
    for (let path = queue.pop(); path !== undefined; path = queue.pop())
      for (const link of attributesOf(files.get(path) ?? '')) {
        const target = targetOf(path, link.split('#')[0] ?? '')
        if (target === null || !target.endsWith('.html') || reached.has(target)) continue
        reached.add(target)
        queue.push(target)
      }
    expect(
      pagesOf()
        .map(([path]) => path)
        .filter((path) => !reached.has(path)),
    ).toEqual([])
  })

  test('every rule, change, error and command has a page of its own', () => {
    const commands = Object.keys(registry).filter((name) => registry[name]?.hidden !== true)
    const expected = [
      ...Object.keys(lintRules).map((id) => `rules/${id}`),
      ...[...changeRules.keys()].map((id) => `changes/${id}`),
      ...Object.keys(catalogue).map((code) => `errors/${code}`),
      ...commands
        .filter((name) => registry[name]?.load !== null || !name.includes(' '))
        .map((name) => `reference/commands/${name.replaceAll(' ', '/')}`),
    ]
    expect(expected.length).toBeGreaterThan(900)
    expect(expected.filter((it) => !files.has(`${it}.html`) || !files.has(`${it}.md`))).toEqual([])
  })

  test('the sitemap lists every page, the index for models Markdown that exists, and the feed each release', () => {
    const listed = [...(files.get('sitemap.xml') ?? '').matchAll(/<loc>(.*?)<\/loc>/g)].map((it) =>
      targetOf('', it[1] ?? ''),
    )
    expect(new Set(listed)).toEqual(
      new Set(
        pagesOf()
          .map(([path]) => path)
          .filter((it) => it !== '404.html'),
      ),
    )
    const links = [...(files.get('llms.txt') ?? '').matchAll(/\]\((.*?)\)/g)].map((it) => targetOf('', it[1] ?? ''))
    expect(links.length).toBeGreaterThan(50)
    expect(links.filter((it) => it === null || !files.has(it))).toEqual([])
    const releases = releasesOf(files.get('changelog.md') ?? '')
    expect([...(files.get('changelog.xml') ?? '').matchAll(/<entry>/g)].length).toBe(releases.length)
    expect(files.get('index.html')).toContain(`<link rel="canonical" href="${address}index.html">`)
  })

  test('the index of the search is small', () => {
    expect(gzipSync(files.get('search.js') ?? '').length).toBeLessThan(500_000)
  })
})

test('the feed has a day for each release and escapes what it quotes', () => {
  const changelog = '# Changelog\n\n## Unreleased\n\n- a < b\n\n## 1.0.0 - 2026-01-02\n\n- first\n'
  const feed = feedOf(changelog, 'https://example.com/', '2026-01-31T12:00:00Z')
  expect([...feed.matchAll(/<updated>(.*?)<\/updated>/g)].map((it) => it[1])).toEqual([
    '2026-01-31T12:00:00Z',
    '2026-01-31T12:00:00Z',
    '2026-01-02T00:00:00Z',
  ])
  expect(feed).toContain('<id>https://example.com/changelog.html#100---2026-01-02</id>')
  expect(feed).toContain('<content type="text">- a &lt; b</content>')
})

describe('the examples', () => {
  const inputOf = async (page: string): Promise<Input | null> => {
    const fragment = /href="(?:\.\.\/)*play\.html(#1\.[\w-]+)"/.exec(files.get(page) ?? '')?.[1]
    return fragment === undefined ? null : readAddress(fragment)
  }

  test('of each rule is found by it in the playground; rules about several files have none', async () => {
    const without: string[] = []
    for (const [id, { help }] of Object.entries(lintRules)) {
      const input = await inputOf(`rules/${id}.html`)
      if (input === null) without.push(id)
      else expect([id, input.option, input.texts]).toEqual([id, id, [`${help?.bad.trim()}\n`]])
    }
    expect(without).toEqual(Object.keys(lintRules).filter((id) => lintRules[id]?.help?.beside !== undefined))
    // A rule that is off by default, too.
    const { texts } = (await inputOf('rules/operation-security.html')) ?? { texts: [] }
    const { findings } = await lintText(texts[0] ?? '', { rule: 'operation-security' })
    expect(findings.map(({ code }) => code)).toEqual(['operation-security'])
  })

  test('of a change is compared there; only rules of folders and of other profiles have none', async () => {
    const without: string[] = []
    for (const id of changeRules.keys()) if ((await inputOf(`changes/${id}.html`)) === null) without.push(id)
    expect(without.toSorted()).toEqual([
      'document-added',
      'document-removed',
      'operation-stability-decreased',
      'operation-stability-increased',
      'operation-sunset-added',
      'parameter-sunset-added',
      'schema-all-of-added',
      'schema-all-of-removed',
      'schema-extensible-enum-value-removed',
      'schema-stability-decreased',
      'schema-stability-increased',
    ])
    for (const id of ['body-added', 'schema-min-length-increased', 'workflow-removed', 'argument-required-added']) {
      const [base = '', head = ''] = (await inputOf(`changes/${id}.html`))?.texts ?? []
      const { changes } = compareTexts({ name: 'base', text: base }, { name: 'head', text: head }, '2026-01-01')
      expect(changes.map((it) => it.id)).toContain(id)
    }
  })
})

describe('in a browser', () => {
  let browser: Browser
  let server: ReturnType<typeof Bun.serve>
  beforeAll(async () => {
    // As a host of static files does it: under a path, with a page for what does not exist.
    server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        const { pathname } = new URL(request.url)
        const name = decodeURIComponent(pathname).replace(/^\/svc\/(?:versions\/0\.1\.0\/)?/, '')
        const file = Bun.file(join(folder, name === '' ? 'index.html' : name))
        if (pathname.startsWith('/svc/') && (await file.exists())) return new Response(file)
        return new Response(Bun.file(join(folder, '404.html')), { status: 404 })
      },
    })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await server.stop(true)
  })

  test('the search, the versions, an example and what does not exist work below a path', async () => {
    const page = await browser.newPage()
    const { foreign, errors } = await watch(page, server.url.origin)
    await page.goto(new URL('/svc/guides/git.html', server.url).href)
    await page.keyboard.press('/')
    await page.keyboard.type('info contact')
    await page
      .getByRole('option', { selected: true })
      .filter({ hasText: /info-contact.*Lint rule/ })
      .waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'info-contact' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/svc/rules/info-contact.html')
    await page.getByLabel('Version').selectOption('0.1.0')
    await page.waitForURL('**/svc/versions/0.1.0/rules/info-contact.html')
    await page.goto(new URL('/svc/rules/operation-security.html', server.url).href)
    await page.getByRole('link', { name: 'Open this example in the playground' }).click()
    await page.locator('.answers').getByText('operation-security').first().waitFor()
    expect({ foreign, errors }).toEqual({ foreign: [], errors: [] })
    await page.goto(new URL('/svc/no/such/page', server.url).href)
    await page.getByRole('link', { name: 'start page' }).click()
    await page.getByRole('heading', { level: 1, name: 'svc documentation' }).waitFor()
    await page.close()
  })

  test('a page that is opened as a file finds others', async () => {
    const page = await browser.newPage()
    await page.goto(pathToFileURL(join(folder, 'guides/git.html')).href)
    await page.getByLabel('Search the documentation').fill('usage')
    await page.getByRole('option').first().waitFor()
    await page.getByRole('option').first().click()
    await page.waitForURL((url) => !url.pathname.endsWith('/guides/git.html'))
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
    await page.close()
  })

  test('no page is wider than a phone or inaccessible, in either theme', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ viewport: { width: 390, height: 844 }, colorScheme })
      for (const path of [
        'index',
        'changelog',
        'errors/usage',
        'reference/commands/webhooks/list',
        'changes/body-added',
      ]) {
        await page.goto(new URL(`/svc/${path}.html`, server.url).href)
        expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 390])
        expect([path, colorScheme, await accessibilityFailures(page)]).toEqual([path, colorScheme, []])
      }
      await page.close()
    }
  })
})
