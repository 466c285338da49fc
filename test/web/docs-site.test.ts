/** The documentation site: every link leads somewhere, every page can be found, and it works in a browser. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { openWeb } from '../../server/web/serve.ts'
import { rules as changeRules } from '../../src/diff/rules.ts'
import { catalogue } from '../../src/errors.ts'
import { rules as lintRules } from '../../src/lint/rules.gen.ts'
import { kindOf, loadIndex } from '../../web/docs/search-index.ts'
import { buildSite } from '../../web/docs/site.ts'
import { documentation } from '../../web/src/parts/documentation.ts'
import { openBrowser, watch } from '../fixtures/browser.ts'

const root = join(import.meta.dir, '../..')

setDefaultTimeout(60_000)
const { files: site } = await buildSite(root, { script: '/app/s.js', style: '/app/s.css', icon: '/app/i.svg' })
const pages = new Map(site.filter((it) => it.path.endsWith('.html')).map((it) => [it.path, it.text]))
const assets = new Set(site.filter((it) => !it.path.endsWith('.html')).map((it) => `/docs/${it.path}`))
const pageAt = (address: string): string | undefined =>
  pages.get(address === '/docs' ? 'index.html' : `${address.slice('/docs/'.length)}.html`)
const linksOf = (html: string): string[] =>
  [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map((match) => match[1]?.replaceAll('&amp;', '&') ?? '')

describe('the pages', () => {
  test('every link to a page leads to it, and every fragment to a heading or anchor', () => {
    const broken: string[] = []
    for (const [path, html] of pages)
      for (const link of linksOf(html)) {
        const [address = '', fragment] = link.split('#')
        if (address !== '' && !address.startsWith('/docs')) {
          if (!/^(https?:|mailto:|\/(app|v1)\/|\/play$)/.test(address)) broken.push(`${path}: ${link}`)
          continue
        }
        if (assets.has(address)) continue
        const target = address === '' ? html : pageAt(address)
        if (target === undefined) broken.push(`${path}: ${link}`)
        else if (fragment !== undefined && !target.includes(`id="${fragment}"`)) broken.push(`${path}: ${link}`)
      }
    expect(broken).toEqual([])
  })

  test('every page can be reached by links from the first one', () => {
    const reached = new Set(['index.html', '404.html'])
    const queue = ['index.html']
    for (let path = queue.pop(); path !== undefined; path = queue.pop())
      for (const link of linksOf(pages.get(path) ?? '')) {
        const address = link.split('#')[0] ?? ''
        const next = address === '/docs' ? 'index.html' : `${address.slice('/docs/'.length)}.html`
        if (!address.startsWith('/docs') || !pages.has(next) || reached.has(next)) continue
        reached.add(next)
        queue.push(next)
      }
    expect([...pages.keys()].filter((path) => !reached.has(path))).toEqual([])
  })

  test('each has one title, and no Markdown is left in it', () => {
    for (const [path, html] of pages) {
      expect([path, html.match(/<h1 /g)?.length ?? html.match(/<h1>/g)?.length]).toEqual([path, 1])
      expect([path, /<p>\|/.test(html)]).toEqual([path, false])
    }
  })
})

test('the search shows pages before shapes of the REST API, and says what a result is', () => {
  const index = loadIndex(site.find(({ path }) => path === 'search.json')?.text ?? '')
  const found = index.search('counterexample').slice(0, 8)
  expect(found.map(({ id }) => String(id)).filter((id) => id.startsWith('/docs/reference/operations/'))).toEqual([])
  expect(
    ['/docs/rules/info-contact', '/docs/errors/usage', '/docs/reference/commands/lint', '/docs/rules'].map(kindOf),
  ).toEqual(['Lint rule', 'Error', 'Command', null])
})

describe('the links of the application', () => {
  const anchorAt = (address: string): boolean => {
    const [path = '', fragment] = address.split('#')
    const html = pageAt(decodeURIComponent(path))
    return html !== undefined && (fragment === undefined || html.includes(`id="${fragment}"`))
  }
  test.each([
    ['lint rule', Object.keys(lintRules).map(documentation.rule)],
    ['change rule', [...changeRules.keys()].map(documentation.change)],
    ['error', Object.keys(catalogue).map(documentation.error)],
  ])('every %s has a page or a place in one', (_, addresses) => {
    expect(addresses.length).toBeGreaterThan(100)
    expect(addresses.filter((it) => !anchorAt(it))).toEqual([])
  })
})

describe('the server', () => {
  // From source the first use builds the site.
  beforeAll(() => openWeb().then(() => undefined), 60_000)

  test('answers pages without ending, the first page, and a page of its own for what does not exist', async () => {
    const web = await openWeb()
    const ask = async (path: string): Promise<[number, string | null, string | undefined]> => {
      const answer = web.serve(new Request(`http://svc.test${path}`))
      if (!answer) throw new Error(`nothing at ${path}`)
      return [answer.status, answer.headers.get('content-type'), /<title>(.*?) ·/.exec(await answer.text())?.[1]]
    }
    const html = 'text/html; charset=utf-8'
    expect(await ask('/docs')).toEqual([200, html, 'svc documentation'])
    expect(await ask('/docs/')).toEqual([200, html, 'svc documentation'])
    expect(await ask('/docs/errors')).toEqual([200, html, 'Errors'])
    expect(await ask('/docs/rules/info-contact')).toEqual([200, html, 'info-contact'])
    expect(await ask('/docs/rules/no-%24ref-siblings')).toEqual([200, html, 'no-$ref-siblings'])
    expect(await ask('/docs/rules/%E0%A4')).toEqual([404, html, 'Page not found'])
    expect(await ask('/docs/no-such-page')).toEqual([404, html, 'Page not found'])
    expect(await ask('/docs/__proto__')).toEqual([404, html, 'Page not found'])
    expect((await ask('/docs/search.json')).slice(0, 2)).toEqual([200, 'application/json'])
    expect(web.serve(new Request('http://svc.test/documents'))).toBe(null)
  })
})

describe('in a browser', () => {
  let browser: Browser
  let server: ReturnType<typeof Bun.serve>
  beforeAll(async () => {
    const web = await openWeb()
    server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: (request) => web.serve(request) ?? new Response(null, { status: 404 }),
    })
    browser = await openBrowser()
  }, 60_000)
  afterAll(async () => {
    await browser.close()
    await server.stop(true)
  })

  test('the search finds a page by the keyboard, and the policy of the page holds', async () => {
    const page = await browser.newPage()
    const conduct = await watch(page, server.url.origin)
    await page.goto(new URL('/docs', server.url).href)
    await page.keyboard.press('/')
    await page.keyboard.type('info contact')
    await page.getByRole('option', { selected: true }).filter({ hasText: 'info-contact' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'info-contact' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/docs/rules/info-contact')
    expect(conduct).toEqual({ foreign: [], violations: [], errors: [] })
    await page.close()
  })

  test('no page is wider than a phone, and axe finds nothing in either theme', async () => {
    const axe = await Bun.file(join(root, 'node_modules/axe-core/axe.min.js')).text()
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ viewport: { width: 390, height: 844 }, colorScheme, bypassCSP: true })
      const page = await context.newPage()
      for (const path of ['/docs', '/docs/errors', '/docs/reference/settings', '/docs/rules', '/docs/comparison']) {
        await page.goto(new URL(path, server.url).href)
        expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 390])
        await page.evaluate(axe)
        const violations = await page.evaluate(async () => {
          const { run } = (globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string }[] }> } }).axe
          return (await run()).violations.map((it) => it.id)
        })
        expect([path, colorScheme, violations]).toEqual([path, colorScheme, []])
      }
      await context.close()
    }
  })
})
