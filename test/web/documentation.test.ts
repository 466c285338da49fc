import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import trainTravel from '@readme/oas-examples/3.1/json/train-travel.json'
import { documentationPage } from '../../server/documentation/page.ts'
import { openWeb, type Web } from '../../server/web/serve.ts'
import { accessibilityFailures, type Conduct, openBrowser, watch } from '../fixtures/browser.ts'

const key = 'svk_0123456789abcdefghijABCDEFGHIJ012345'
const requests: { path: string; key: string | null }[] = []
const huge = {
  openapi: '3.1.0',
  info: { title: 'Huge', version: '1.0.0' },
  paths: Object.fromEntries(
    Array.from({ length: 3000 }, (_, index) => [
      `/resource-${index}`,
      { get: { summary: `Read number ${index}`, responses: { 200: { description: 'It is there.' } } } },
    ]),
  ),
}
const attack = '"><img src=x onerror="window.stolen=1"><svg onload="window.stolen=1"></svg>'
/** A document whose every text tries to be markup. */
const hostile = {
  openapi: '3.1.0',
  info: {
    title: `Hostile ${attack}`,
    version: attack,
    description: `Text ${attack} [link](javascript:window.stolen=1) <a href="javascript:window.stolen=1">link</a>`,
    contact: { name: attack, url: 'javascript:window.stolen=1', email: attack },
    license: { name: attack, url: 'javascript:window.stolen=1' },
    termsOfService: 'javascript:window.stolen=1',
  },
  externalDocs: { description: attack, url: 'javascript:window.stolen=1' },
  servers: [{ url: `https://example.com/${attack}`, description: attack, variables: { a: { default: attack } } }],
  tags: [{ name: attack, description: attack, externalDocs: { url: 'javascript:window.stolen=1' } }],
  paths: {
    '/hostile': {
      post: {
        operationId: attack,
        tags: [attack],
        summary: `Send ${attack}`,
        description: attack,
        externalDocs: { description: attack, url: 'javascript:window.stolen=1' },
        parameters: [
          {
            name: attack,
            in: 'query',
            description: attack,
            example: attack,
            schema: { type: 'string', pattern: attack },
          },
        ],
        requestBody: {
          description: attack,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                title: attack,
                properties: { [attack]: { type: 'string', format: attack, enum: [attack], default: attack } },
              },
              examples: { [attack]: { summary: attack, value: { [attack]: attack } } },
            },
          },
        },
        responses: { 200: { description: attack, headers: { [attack]: { schema: { const: attack } } } } },
        'x-codeSamples': [
          { lang: `unheard-of${attack}`, label: 'First', source: `the first sample ${attack}` },
          { lang: attack, label: attack, source: attack },
        ],
        'x-badges': [{ name: attack, color: attack }],
      },
    },
  },
  components: { securitySchemes: { [attack]: { type: 'apiKey', in: 'header', name: attack, description: attack } } },
}
const journey = {
  arazzo: '1.0.1',
  info: { title: 'Journeys', version: '1', description: 'From a **wish** to a seat.' },
  sourceDescriptions: [
    { name: 'trains', type: 'openapi', url: '/v1/schema/acme/trains/1.0.0' },
    { name: 'elsewhere', type: 'openapi', url: 'https://api.example.com/openapi.json' },
  ],
  workflows: [
    {
      workflowId: 'book-a-seat',
      summary: 'Find a trip and book it',
      inputs: { type: 'object', required: ['from'], properties: { from: { type: 'string', format: 'uuid' } } },
      steps: [
        {
          stepId: 'find',
          operationId: '$sourceDescriptions.trains.get-trips',
          parameters: [
            { name: 'origin', in: 'query', value: '$inputs.from' },
            { reference: '$components.parameters.page', value: 2 },
          ],
          successCriteria: [
            { condition: '$statusCode == 200' },
            { context: '$response.body', condition: '$.data', type: 'jsonpath' },
          ],
          onFailure: [{ name: 'again', type: 'retry', retryAfter: 2, retryLimit: 3 }],
          outputs: { trip: '$response.body#/data/0/id' },
        },
        {
          stepId: 'pay',
          operationPath: '{$sourceDescriptions.elsewhere.url}#/paths/~1payments~1{id}/post',
          requestBody: { contentType: 'application/json', payload: { trip: '$steps.find.outputs.trip' } },
        },
        { stepId: 'tell', workflowId: 'tell-friends' },
      ],
      outputs: { booking: '$steps.pay.outputs.id' },
    },
    {
      workflowId: 'tell-friends',
      dependsOn: ['book-a-seat'],
      steps: [{ stepId: 'send', operationId: 'elsewhere.send' }],
    },
  ],
  components: { parameters: { page: { name: 'page', in: 'query', value: 1 } } },
}
let web: Web
let server: ReturnType<typeof Bun.serve>
let browser: Browser

beforeAll(async () => {
  web = await openWeb()
  server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      const { pathname, search } = new URL(request.url)
      requests.push({ path: pathname + search, key: request.headers.get('x-api-key') })
      if (pathname === '/v1/schema/acme/private/1.0.0' && request.headers.get('x-api-key') !== key)
        return Response.json(
          { detail: { code: 'credentials-missing', message: 'This operation needs credentials.' } },
          { status: 401 },
        )
      if (pathname.includes('/huge/') && pathname.startsWith('/v1/schema/')) return Response.json(huge)
      if (pathname.includes('/hostile/') && pathname.startsWith('/v1/schema/')) return Response.json(hostile)
      if (pathname.startsWith('/v1/schema/')) return Response.json(trainTravel)
      if (pathname.startsWith('/v1/arazzo/')) return Response.json(journey)
      if (pathname.startsWith('/v1/swagger/')) {
        const page = documentationPage(
          {
            title: 'Train <Travel> & "API"',
            version: '1.0.0',
            kind: pathname.includes('/journeys/') ? 'arazzo' : 'openapi',
            documentUrl: pathname.replace('swagger', pathname.includes('/journeys/') ? 'arazzo' : 'schema'),
            ...(pathname.includes('/joined/') ? { workflowsUrl: '/v1/arazzo/acme/joined/1.0.0' } : {}),
            servers: pathname.includes('callable')
              ? ['https://api.example.com/v1', 'https://{x}.example.com', '/']
              : [],
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
})

const visit = async (path: string): Promise<{ page: Page; conduct: Conduct }> => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  const conduct = await watch(page, server.url.origin)
  requests.length = 0
  await page.goto(new URL(path, server.url).href)
  return { page, conduct }
}

describe('documentation page', () => {
  test('draws the operations of a real document and asks nobody else', async () => {
    const { page, conduct } = await visit('/v1/swagger/acme/trains/1.0.0')
    await page.getByRole('heading', { name: 'Train Travel API' }).first().waitFor({ timeout: 30_000 })
    const summaries = Object.values(trainTravel.paths).flatMap((item) =>
      Object.values(item).flatMap((it) =>
        typeof it === 'object' && 'summary' in it && 'operationId' in it ? [String(it.summary)] : [],
      ),
    )
    expect(summaries.length).toBeGreaterThan(4)
    for (const summary of summaries) await page.getByText(summary).first().waitFor()
    await page.waitForLoadState('networkidle')
    expect(conduct).toEqual({ foreign: [], violations: [], errors: [] })
    expect(await page.locator('.frame h1').textContent()).toBe('Train <Travel> & "API"')
    expect(await accessibilityFailures(page, ['#reference'])).toEqual([])
    await page.close()
  }, 60_000)

  test('shows every text of a document as text, languages of code samples too', async () => {
    const { page, conduct } = await visit('/v1/swagger/acme/hostile/1.0.0')
    await page.getByText('the first sample').first().waitFor({ timeout: 30_000 })
    await page.waitForLoadState('networkidle')
    const made = await page.evaluate(() =>
      [...document.querySelectorAll('*')].flatMap((element) =>
        [...element.attributes]
          .filter(({ name, value }) => name.startsWith('on') || /^\s*javascript:/i.test(value))
          .map(({ name, value }) => `${element.tagName} ${name}=${value}`),
      ),
    )
    expect(made).toEqual([])
    expect(await page.evaluate(() => 'stolen' in window)).toBe(false)
    expect(conduct.violations).toEqual([])
    await page.close()
  }, 60_000)

  test('takes the key out of the address and still reads a private document with it', async () => {
    const { page, conduct } = await visit(`/v1/swagger/acme/private/1.0.0?api_key=${key}&x=1`)
    await page.getByRole('heading', { name: 'Train Travel API' }).first().waitFor({ timeout: 30_000 })
    expect(page.url().split('#')[0]).toBe(new URL('/v1/swagger/acme/private/1.0.0?x=1', server.url).href)
    expect(requests.filter((it) => it.path.startsWith('/v1/schema/'))).toEqual([
      { path: '/v1/schema/acme/private/1.0.0', key },
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
        { title: 'T', version: '1', documentUrl: '/d', servers },
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
      { title: '</script><script>alert(1)</script>', version: '"><img src=x>', documentUrl: '/v1/schema/a/b/c' },
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
    await book.waitFor({ timeout: 30_000 })
    await page.waitForLoadState('networkidle')
    expect(await page.getByRole('status').innerText()).toBe('2 workflows')
    const steps = book.getByRole('list', { name: 'Steps of book-a-seat' }).locator(':scope > li')
    const words = (await steps.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '))
    expect(words).toEqual([
      '1. find Calls GET /trips get-trips Get available train trips of trains Parameters origin $inputs.from in query ' +
        'page 2 in query Succeeds when all of these are true $statusCode == 200 $.data jsonpath on $response.body On failure ' +
        'again: retry after 2 s, at most 3 times Outputs trip $response.body#/data/0/id',
      '2. pay Calls POST /payments/{id} of elsewhere Request body, application/json ' +
        '{ "trip": "$steps.find.outputs.trip" }',
      '3. tell Calls the workflow tell-friends',
    ])
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
  await page.getByRole('region', { name: 'book-a-seat' }).waitFor({ timeout: 30_000 })
  await page.getByRole('navigation', { name: 'This version' }).getByRole('link', { name: 'Operations' }).click()
  await page.getByRole('heading', { name: 'Train Travel API' }).first().waitFor({ timeout: 30_000 })
  expect(conduct).toEqual({ foreign: [], violations: [], errors: [] })
  await page.close()
}, 60_000)

describe('a document of thousands of operations', () => {
  test('opens as an outline and shows one operation in full', async () => {
    const { page, conduct } = await visit('/v1/swagger/acme/huge/1.0.0')
    await page.getByText('3,000 operations').waitFor()
    expect(await page.getByRole('listitem').count()).toBeLessThan(60)
    await page.getByLabel('Search operations').fill('resource-2999')
    await page.getByText('1 operation', { exact: true }).waitFor()
    await page.getByRole('button', { name: '/resource-2999' }).click()
    await page.getByText('Response 200').waitFor()
    expect(decodeURIComponent(new URL(page.url()).hash)).toBe('#GET /resource-2999')
    expect(await accessibilityFailures(page)).toEqual([])
    expect(conduct).toEqual({ foreign: [], violations: [], errors: [] })
    await page.getByRole('button', { name: /interactively/ }).click()
    // Its operations have no tags: they come in groups, of which none is drawn before it is opened.
    await page.getByRole('button', { name: 'Operations 2901–3000' }).first().waitFor()
    expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(5000)
    expect(conduct).toEqual({ foreign: [], violations: [], errors: [] })
    await page.close()
  }, 60_000)
})
