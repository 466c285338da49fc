/** The page of `svc export --as html` in a browser: both themes, both widths, its search, its links, and hostile texts. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { JsonObject } from '../../src/kernel/json.ts'
import { writeHtml } from '../../src/render/reference/html.ts'
import { readReference } from '../../src/render/reference/model.ts'
import { accessibilityFailures, openBrowser, watch } from '../fixtures/browser.ts'

setDefaultTimeout(60_000)

const attack = `"'></code></p><img src="https://evil.example/x" onerror="window.hit=1"><script>window.hit=1</script><a href="javascript:window.hit=1">x</a>`
const longest = 'a-name-that-has-no-place-to-break-'.repeat(8)

const api: JsonObject = {
  info: {
    title: 'Pets',
    version: '1.0.0',
    description: '# About\n\nSee <b>this</b>.\n\n| a | b |\n|---|---|\n| 1 | 2 |',
  },
  servers: [{ url: `https://example.com/${longest}` }],
  security: [{ key: [] }],
  tags: [{ name: 'pets', description: attack }],
  paths: {
    '/pets': {
      get: {
        tags: ['pets'],
        summary: 'List pets',
        deprecated: true,
        parameters: [
          {
            name: longest,
            in: 'query',
            required: true,
            description: attack,
            schema: { type: 'string', enum: [attack], pattern: attack },
          },
        ],
        responses: {
          200: {
            description: 'All',
            content: {
              'application/json': {
                schema: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
                example: { text: attack },
              },
            },
          },
        },
      },
      post: {
        tags: ['pets'],
        summary: attack,
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } },
        responses: {},
      },
    },
  },
  components: {
    schemas: {
      Pet: {
        type: 'object',
        properties: { name: { type: 'object', properties: { first: { type: 'string', description: attack } } } },
      },
    },
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X' } },
  },
}

const folder = mkdtempSync(join(tmpdir(), 'svc-reference-'))
const address = `file://${join(folder, 'index.html')}`
let browser: Browser

beforeAll(async () => {
  writeFileSync(join(folder, 'index.html'), writeHtml(readReference(api)).join('\n'))
  browser = await openBrowser()
}, 60_000)
afterAll(async () => {
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
})

const withPage = async (
  options: { readonly width: number; readonly colorScheme?: 'light' | 'dark' },
  fragment: string,
  act: (page: Page) => Promise<void>,
): Promise<void> => {
  const { width, colorScheme = 'light' } = options
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
  const page = await context.newPage()
  const conduct = await watch(page, 'file://')
  await page.goto(`${address}${fragment}`)
  await act(page)
  expect(await page.evaluate(() => 'hit' in window)).toBe(false)
  expect(conduct).toEqual({ foreign: [], violations: [], errors: [] })
  await context.close()
}

for (const width of [1440, 390])
  for (const colorScheme of ['light', 'dark'] as const)
    test(`is accessible and fits at ${width} pixels, ${colorScheme}`, () =>
      withPage({ width, colorScheme }, '', async (page) => {
        for (const it of await page.locator('main details').all())
          await it.evaluate((node) => node.setAttribute('open', ''))
        if (width === 390) await page.getByText('Contents', { exact: true }).click()
        expect(await accessibilityFailures(page)).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
      }))

test('a link leads to its operation, and the search to the first result', () =>
  withPage({ width: 1440 }, '#post-pets', async (page) => {
    const shown = (id: string) =>
      page.locator(`#${id}`).evaluate((it) => Math.abs(it.getBoundingClientRect().top) < innerHeight)
    expect(await shown('post-pets')).toBe(true)
    expect(await page.locator('nav a[aria-current]').getAttribute('href')).toBe('#post-pets')
    await page.keyboard.press('/')
    await page.keyboard.type('get pets')
    expect(await page.locator('#found').textContent()).toBe('1 result')
    await page.keyboard.press('Enter')
    await page.waitForURL(/#get-pets$/)
    // The mark follows with an event after the address.
    await page.locator('nav a[aria-current][href="#get-pets"]').waitFor({ state: 'attached' })
    expect(await page.locator('nav a[aria-current]').count()).toBe(1)
    await page.locator('#search').fill('no such thing')
    expect(await page.locator('#found').textContent()).toBe('0 results')
  }))

test('the theme is chosen by a button and stays', () =>
  withPage({ width: 1440, colorScheme: 'dark' }, '', async (page) => {
    const colour = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const dark = await colour()
    await page.getByRole('button', { name: 'Theme: system' }).click()
    expect(await colour()).not.toBe(dark)
    await page.reload()
    expect(await page.getByRole('button').textContent()).toBe('Theme: light')
    expect(await colour()).not.toBe(dark)
  }))
