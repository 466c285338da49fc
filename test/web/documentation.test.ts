import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import trainTravel from '@readme/oas-examples/3.1/json/train-travel.json'
import { documentationPage } from '../../server/web/documentation-page.ts'
import { openWeb, type Web } from '../../server/web/serve.ts'
import { accessibilityFailures, type Conduct, openBrowser, watch } from '../fixtures/browser.ts'
import { changes, documents, journey, old, partAt, partsOf } from '../fixtures/web/documentation.ts'

const key = 'svk_0123456789abcdefghijABCDEFGHIJ012345'
const requests: { path: string; key: string | null }[] = []
let web: Web
let server: ReturnType<typeof Bun.serve>
/** The server that the document of "callable" names: it lets pages of other origins read one path alone. */
let called: ReturnType<typeof Bun.serve>
let browser: Browser

beforeAll(async () => {
  web = await openWeb()
  called = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const { pathname, search } = new URL(request.url)
      const open = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
      const headers = pathname === '/trips' ? open : {}
      if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers })
      const seen = { query: search, key: request.headers.get('authorization'), cookie: request.headers.get('cookie') }
      return Response.json(seen, { headers })
    },
  })
  documents.callable = partsOf({ ...trainTravel, servers: [{ url: called.url.origin }] })
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const { pathname, search } = new URL(request.url)
      requests.push({ path: pathname + search, key: request.headers.get('x-api-key') })
      const part = /^\/v1\/swagger\/acme\/[^/]+\/1\.0\.0\/([^/]+)$/.exec(pathname)?.[1]
      if (part !== undefined && pathname.includes('/private/') && request.headers.get('x-api-key') !== key)
        return Response.json(
          { detail: { code: 'credentials-missing', message: 'This operation needs credentials.' } },
          { status: 401 },
        )
      if (part === 'changes') return Response.json(changes)
      if (part !== undefined) return partAt(pathname, part)
      if (pathname.startsWith('/v1/schema/')) return Response.json(trainTravel)
      if (pathname.startsWith('/v1/arazzo/')) return Response.json(journey)
      if (pathname.startsWith('/v1/swagger/')) {
        const page = documentationPage(
          {
            title: 'Train <Travel> & "API"',
            version: '1.0.0',
            kind: pathname.includes('/journeys/') ? 'arazzo' : 'openapi',
            documentUrl: pathname.replace('swagger', pathname.includes('/journeys/') ? 'arazzo' : 'schema'),
            partsUrl: pathname,
            ...(pathname.includes('/joined/') ? { workflowsUrl: '/v1/arazzo/acme/joined/1.0.0' } : {}),
            ...(pathname.includes('/old/') ? old : {}),
            servers: pathname.includes('callable') ? [called.url.origin] : [],
          },
          web.entries.documentation,
        )
        return new Response(page.html, { headers: page.headers })
      }
      return web.serve(request) ?? new Response(null, { status: 404 })
    },
  })
  browser = await openBrowser()
}, 60_000)

afterAll(async () => {
  await browser.close()
  await server.stop(true)
  await called.stop(true)
})

const visit = async (
  path: string,
  viewport = { width: 1280, height: 900 },
): Promise<{ page: Page; conduct: Conduct }> => {
  const page = await browser.newPage({ viewport })
  const conduct = await watch(page, server.url.origin, [called.url.origin])
  requests.length = 0
  await page.goto(new URL(path, server.url).href)
  return { page, conduct }
}

/** What mentions a bicycle, the best first. */
const bicycle = [
  'GET Get available train trips',
  'POST Create a booking',
  'GET Get a booking',
  'HOOK New Booking',
  'Booking',
  'Trip',
]

const heading = (page: Page, name: string): Promise<void> => page.getByRole('heading', { name, exact: true }).waitFor()

describe('documentation page', () => {
  test('shows an API, its operations, schemas and changes, each at an address of its own, and asks nobody else', async () => {
    const { page, conduct } = await visit('/v1/swagger/acme/trains/1.0.0')
    await heading(page, 'Train Travel API')
    expect(await page.locator('.frame h1').textContent()).toBe('Train <Travel> & "API"')
    const contents = page.getByRole('region', { name: 'Contents' })
    const summaries = Object.values(trainTravel.paths).flatMap((item) =>
      Object.values(item).flatMap((it) =>
        typeof it === 'object' && 'summary' in it && 'operationId' in it ? [String(it.summary)] : [],
      ),
    )
    const links = (await contents.getByRole('link').allInnerTexts()).map((it) => it.split('\n').at(-1) ?? '')
    expect(links.toSorted()).toEqual(['Introduction', 'New Booking', ...summaries].toSorted())
    expect(await accessibilityFailures(page)).toEqual([])
    await contents.getByRole('link', { name: 'Create a booking' }).click()
    await heading(page, 'Create a booking')
    expect(decodeURIComponent(new URL(page.url()).hash)).toBe('#POST /bookings')
    expect(await page.title()).toBe('Create a booking · Train <Travel> & "API" 1.0.0')
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe('main')
    expect(await page.getByRole('group', { name: 'curl code' }).innerText()).toContain("curl -X POST 'https://api.")
    await page.getByRole('button', { name: 'Python' }).click()
    expect(await page.getByRole('group', { name: 'Python code' }).innerText()).toContain('import requests')
    expect(await accessibilityFailures(page)).toEqual([])
    await page.getByRole('link', { name: 'Booking', exact: true }).first().click()
    await heading(page, 'Booking')
    await page.getByText('passenger_name').waitFor()
    expect(await page.locator('main').getByRole('link', { name: 'POST /bookings Create a booking' }).count()).toBe(1)
    await page.getByRole('link', { name: 'Changes' }).click()
    await page.getByText('Two changes').waitFor()
    expect(await accessibilityFailures(page)).toEqual([])
    expect(conduct).toEqual({ foreign: [], violations: [], errors: [] })
    await page.close()
  }, 60_000)

  test('finds words of all texts, by keyboard, on a small and dark screen', async () => {
    const { page, conduct } = await visit('/v1/swagger/acme/trains/1.0.0', { width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.getByRole('button', { name: 'Contents and search' }).click()
    await page.keyboard.press('/')
    await page.keyboard.type('bicycle')
    await page
      .getByRole('status')
      .getByText(/^\d+ results?$/)
      .waitFor()
    await page.getByRole('region', { name: 'Results' }).getByRole('link').first().waitFor()
    expect(await accessibilityFailures(page)).toEqual([])
    const found = await page.getByRole('region', { name: 'Results' }).getByRole('link').allInnerTexts()
    expect(found.map((it) => it.replaceAll('\n', ' '))).toEqual(bicycle)
    await page.getByRole('region', { name: 'Results' }).getByRole('link').first().press('Enter')
    await heading(page, 'Get available train trips')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    expect(await accessibilityFailures(page)).toEqual([])
    expect(conduct).toEqual({ foreign: [], violations: [], errors: [] })
    await page.close()
  }, 60_000)

  test('sends a request from the browser, without cookies, and says in words why none came back', async () => {
    const { page, conduct } = await visit('/v1/swagger/acme/callable/1.0.0#GET%20%2Ftrips')
    await page.context().addCookies([{ name: 'session', value: 'x', url: called.url.href }])
    await page.getByRole('button', { name: 'Try it' }).click()
    const form = page.getByRole('form', { name: 'Try it' })
    await form.getByLabel('Credential: OAuth2').fill('secret')
    for (const name of ['origin', 'destination', 'date']) await form.getByLabel(`${name} (query), required`).fill(name)
    expect(await accessibilityFailures(page)).toEqual([])
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByText(/^200/).waitFor()
    const answer = JSON.parse(await form.getByRole('group', { name: 'Answer' }).innerText()) as unknown
    expect(answer).toEqual({
      query: '?origin=origin&destination=destination&date=date',
      key: 'Bearer secret',
      cookie: null,
    })
    await page.goto(new URL('/v1/swagger/acme/callable/1.0.0#GET%20%2Fbookings', server.url).href)
    await heading(page, 'List existing bookings')
    await page.getByRole('button', { name: 'Try it' }).click()
    await form.getByRole('button', { name: 'Send' }).click()
    expect(await form.getByRole('alert').innerText()).toContain(
      `It must send the header "Access-Control-Allow-Origin: ${server.url.origin}"`,
    )
    expect([conduct.foreign, conduct.violations]).toEqual([[], []])
    await page.close()
  }, 60_000)

  test('shows every text of a document as text, its own samples of code too', async () => {
    const { page, conduct } = await visit('/v1/swagger/acme/hostile/1.0.0')
    await page.locator('main h2').waitFor()
    const shown = async (): Promise<string[]> =>
      page.evaluate(() =>
        [...document.querySelectorAll('*')].flatMap((element) =>
          [...element.attributes]
            .filter(({ name, value }) => name.startsWith('on') || /^\s*javascript:/i.test(value))
            .map(({ name, value }) => `${element.tagName} ${name}=${value}`),
        ),
      )
    expect(await shown()).toEqual([])
    await page.getByRole('region', { name: 'Contents' }).getByRole('link').nth(1).click()
    await page.getByRole('button', { name: 'First' }).click()
    await page.getByText('the first sample').waitFor()
    expect(await shown()).toEqual([])
    expect(await page.evaluate(() => 'stolen' in window)).toBe(false)
    expect(conduct).toEqual({ foreign: [], violations: [], errors: [] })
    await page.close()
  }, 60_000)

  test('a deprecated version says until when it is served and what to use instead', async () => {
    const { page, conduct } = await visit('/v1/swagger/acme/old/1.0.0')
    expect(await page.getByRole('complementary').innerText()).toBe(
      'This version is deprecated since 2026-01-31. It is served until 2027-03-31. Use version 2.0.0 instead.',
    )
    await page.locator('summary').filter({ hasText: '1.0.0 · deprecated' }).click()
    const links = await page
      .locator('.frame a')
      .evaluateAll((all) => all.map((it) => [it.textContent, it.getAttribute('href')]))
    expect(links).toEqual([
      ['2.0.0', '/v1/swagger/acme/old/2.0.0'],
      ['1.0.0 · deprecated', '/v1/swagger/acme/old/1.0.0'],
      ['Changes', '#changes'],
      ['OpenAPI document', '/v1/schema/acme/old/1.0.0'],
      ['Open in svc', '/app/t/acme/old/1.0.0'],
    ])
    await heading(page, 'Train Travel API')
    expect(await accessibilityFailures(page)).toEqual([])
    expect(conduct).toEqual({ foreign: [], violations: [], errors: [] })
    await page.close()
  }, 60_000)

  test('takes the key out of the address and still reads a private document with it', async () => {
    const { page, conduct } = await visit(`/v1/swagger/acme/private/1.0.0?api_key=${key}&x=1`)
    await heading(page, 'Train Travel API')
    expect(page.url().split('#')[0]).toBe(new URL('/v1/swagger/acme/private/1.0.0?x=1', server.url).href)
    expect(requests.filter((it) => it.path.endsWith('/index'))).toEqual([
      { path: '/v1/swagger/acme/private/1.0.0/index', key },
    ])
    expect(requests.filter((it) => it.path.includes(key)).map((it) => it.path.split('?')[0])).toEqual([
      '/v1/swagger/acme/private/1.0.0',
    ])
    expect(conduct).toEqual({ foreign: [], violations: [], errors: [] })
    await page.close()
  }, 60_000)

  test('says why a document cannot be shown and what to do', async () => {
    const { page, conduct } = await visit('/v1/swagger/acme/private/1.0.0')
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.innerText()).toContain('This operation needs credentials.')
    expect(await alert.innerText()).toContain('Sign in and try again.')
    expect(await accessibilityFailures(page)).toEqual([])
    expect(conduct.violations).toEqual([])
    await page.close()
  }, 60_000)

  test('without scripts it leads to the document', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(new URL('/v1/swagger/acme/trains/1.0.0', server.url).href)
    expect(await page.locator('noscript h2').isVisible()).toBe(true)
    expect(await page.locator('#state').isVisible()).toBe(false)
    expect(await page.locator('noscript a').getAttribute('href')).toBe('/v1/schema/acme/trains/1.0.0')
    await context.close()
  }, 60_000)

  test('allows calls to the hosts of the document and to nobody else', () => {
    const connect = (servers: string[]): string | undefined => {
      const { headers } = documentationPage(
        { title: 'T', version: '1', documentUrl: '/d', partsUrl: '/p', servers },
        web.entries.documentation,
      )
      return headers['content-security-policy']?.split('; ').find((it) => it.startsWith('connect-src'))
    }
    expect(connect([])).toBe("connect-src 'self'")
    expect(connect(['https://a.example/v1', 'https://a.example/v2', 'ftp://b.example', '/v1', 'x'])).toBe(
      "connect-src 'self' https://a.example",
    )
    expect(connect(['https://{r}.example.com', "https://e.example;script-src 'unsafe-inline'", 'https://*.com'])).toBe(
      "connect-src 'self'",
    )
  })

  test('no title breaks out of the page', () => {
    const { html } = documentationPage(
      { title: '</script><script>alert(1)</script>', version: '"><img src=x>', documentUrl: '/d', partsUrl: '/p' },
      web.entries.documentation,
    )
    expect(html).not.toContain('<script>alert')
    expect(html).not.toContain('<img')
  })
})

describe('workflows', () => {
  test('shows inputs, steps, what each calls, criteria, actions and outputs, and asks nobody else', async () => {
    const { page, conduct } = await visit('/v1/swagger/acme/journeys/1.0.0')
    const book = page.getByRole('region', { name: 'book-a-seat' })
    await book.waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.getByRole('status').innerText()).toBe('2 workflows')
    const steps = book.getByRole('list', { name: 'Steps of book-a-seat' }).locator(':scope > li')
    const words = (await steps.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))
    expect(words).toEqual([
      '1. find Calls GET /trips get-trips Get available train trips of trains Parameters origin $inputs.from in query ' +
        'page 2 in query Succeeds when all of these are true $statusCode == 200 $.data jsonpath on $response.body On failure ' +
        'again: retry after 2 s, at most 3 times Outputs trip $response.body#/data/0/id',
      '2. pay Calls POST /payments/{id} of elsewhere Request body, application/json ' +
        '{ "trip": "$steps.find.outputs.trip" } On success paid: end when $statusCode == 208 On failure other: go to find',
      '3. tell Calls the workflow tell-friends',
    ])
    expect(await book.getByRole('img').getAttribute('aria-label')).toBe(
      'Order of the steps: find, then pay, then tell. find, on failure: retry after 2 s, at most 3 times. pay, on success: end. pay, on failure: go to find.',
    )
    expect(await book.innerText()).toContain('string (uuid)')
    expect(await steps.first().getByRole('link', { name: 'trains' }).getAttribute('href')).toBe(
      '/v1/swagger/acme/trains/1.0.0#GET%20%2Ftrips',
    )
    await page.getByRole('navigation', { name: 'Workflows' }).getByRole('link', { name: 'tell-friends' }).click()
    expect(await page.getByRole('region', { name: 'tell-friends' }).innerText()).toContain('Runs after book-a-seat.')
    expect(await accessibilityFailures(page)).toEqual([])
    expect(conduct).toEqual({ foreign: [], violations: [], errors: [] })
    await page.close()
  }, 60_000)
})

test('an API with workflows leads to them and back', async () => {
  const { page, conduct } = await visit('/v1/swagger/acme/joined/1.0.0?view=workflows')
  await page.getByRole('region', { name: 'book-a-seat' }).waitFor()
  await page.getByRole('navigation', { name: 'This version' }).getByRole('link', { name: 'Operations' }).click()
  await heading(page, 'Train Travel API')
  expect(conduct).toEqual({ foreign: [], violations: [], errors: [] })
  await page.close()
}, 60_000)

test('a document of thousands of operations opens at once, and reads what is looked at', async () => {
  const { page, conduct } = await visit('/v1/swagger/acme/huge/1.0.0')
  await page.getByText('3,000 operations').waitFor()
  expect(await page.getByRole('listitem').count()).toBeLessThan(60)
  await page.getByPlaceholder('Search everything').fill('resource-2999')
  await page.getByText('1 result', { exact: true }).waitFor()
  await page.getByRole('region', { name: 'Results' }).getByRole('link').click()
  await heading(page, 'Read number 2999')
  expect(decodeURIComponent(new URL(page.url()).hash)).toBe('#GET /resource-2999')
  const read = requests.filter(({ path }) => path.includes('/huge/1.0.0/')).map(({ path }) => path.split('/').at(-1))
  expect(read.map(String).toSorted((a, b) => a.localeCompare(b))).toEqual([
    'index',
    'operation-2999?of=stamp',
    'words-2?of=stamp',
    'words-r?of=stamp',
  ])
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(1000)
  expect(await accessibilityFailures(page)).toEqual([])
  expect(conduct).toEqual({ foreign: [], violations: [], errors: [] })
  await page.close()
}, 60_000)
