import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openWeb } from '../../server/web/serve.ts'
import { accessibilityFailures, openBrowser, watch } from '../browser.ts'
import type { Registry } from '../../commands/command.ts'
import { registry } from '../../commands/registry.gen.ts'
import { runHere } from '../commands/surroundings.ts'
import { startFake } from './fake-service.ts'

let fake: ReturnType<typeof startFake>
let browser: Browser

beforeAll(async () => {
  fake = startFake(await openWeb())
  browser = await openBrowser()
}, 60_000)
afterAll(async () => {
  await browser.close()
  await fake.server.stop(true)
})
beforeEach(() => fake.reset())

const version = '/app/t/acme/train-travel/2.0.0'
/** Every route of the application with what must be seen on it. */
const routes: readonly (readonly [path: string, heading: string])[] = [
  ['/app/t/acme', 'Projects'],
  ['/app/t/acme?q=nothing-like-it', 'Nothing matches'],
  ['/app/t/acme/train-travel', 'Train Travel API'],
  ['/app/t/acme/api-7', 'No version yet'],
  [version, 'Train Travel API 2.0.0'],
  [`${version}?operation=POST+%2Fbookings`, 'Request body, required'],
  [`${version}/findings`, '87.4 of 100 points'],
  [`${version}/changes`, 'Train Travel API 2.0.0'],
  [`${version}/source?line=40`, 'Train Travel API 2.0.0'],
  [`${version}/publishing`, 'Ready to publish'],
  ['/app/t/acme/train-travel/1.1.0/publishing', 'This version is published'],
  ['/app/t/acme/-/import', 'Import a document'],
  ['/app/t/acme/-/keys', 'API keys'],
  ['/app/t/acme/-/members', 'Members'],
  ['/app/t/acme/-/agents', 'reader'],
  ['/app/t/acme/-/settings', 'Plan and usage'],
  ['/app/sign-in', 'Sign in'],
  ['/app/claim#token=set-up-token', 'Take over this service'],
  ['/app/claim', 'Set-up'],
  ['/app/invitation#token=new', 'Join Acme'],
  ['/app/invitation', 'Invitation'],
  ['/app/new-tenant', 'Make a tenant'],
  ['/app/no/such/page', 'Nothing here'],
]

const look = async (page: Page, path: string, heading: string): Promise<void> => {
  await page.goto(new URL(path, fake.server.url).href)
  await page.getByRole('heading', { name: heading, exact: true }).waitFor()
  // Every part that is still waiting for an answer says so.
  await page
    .getByText(/^Loading .* …$/)
    .first()
    .waitFor({ state: 'detached' })
}

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  let context: BrowserContext
  beforeAll(async () => {
    context = await browser.newContext({ viewport: { width: 1280, height: 860 }, colorScheme })
  })
  afterAll(() => context.close())

  test.each(routes)(
    '%s is clean: accessible, within its policy, of one origin',
    async (path, heading) => {
      const page = await context.newPage()
      const conduct = await watch(page, fake.server.url.origin)
      await look(page, path, heading)
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
      expect(await accessibilityFailures(page)).toEqual([])
      expect(conduct).toEqual({ foreign: [], violations: [], errors: [] })
      await page.close()
    },
    30_000,
  )
})

test('every route fits a window of 320 by 256 pixels (400 percent zoom) without scrolling sideways', async () => {
  const context = await browser.newContext({ viewport: { width: 320, height: 256 } })
  const page = await context.newPage()
  for (const [path, heading] of routes) {
    await look(page, path, heading)
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect([path, Math.max(0, beyond)]).toEqual([path, 0])
  }
  await context.close()
}, 60_000)

/** The commands as they are declared, doing nothing: what is left is whether a command line is understood. */
const idle: Registry = Object.fromEntries(
  Object.entries(registry).map(([name, { summary, load }]) => [
    name,
    { summary, load: load && (async () => ({ ...(await load()), run: async () => ({}) })) },
  ]),
)

test('every command that a page shows is one that svc understands', async () => {
  const page = await browser.newPage()
  const shown = new Set<string>()
  const collect = async (): Promise<void> => {
    for (const hint of await page.locator('[aria-label^="Command: svc "]').all()) shown.add(await hint.innerText())
  }
  Object.assign(fake.state, { claimed: false, signedIn: false })
  await look(page, '/app/sign-in', 'Nobody owns this service yet')
  await collect()
  expect(await accessibilityFailures(page)).toEqual([])
  fake.reset()
  for (const [path, heading] of routes) {
    await look(page, path, heading)
    await collect()
  }
  await page.close()
  expect(shown.size).toBeGreaterThan(8)
  const refused: string[] = []
  for (const line of shown) {
    const words = line.split(' ').map((word) => word.replaceAll("'", ''))
    const { exit, stderr } = await runHere(words.slice(1), idle)
    if (exit !== 0) refused.push(`${line}: ${stderr}`)
  }
  expect(refused).toEqual([])
}, 60_000)
