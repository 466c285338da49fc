/** Every route and every dialog: accessible in both themes and at 400 percent, within its policy, of one origin. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import type { Registry } from '../../cli/declare.ts'
import { registry } from '../../cli/registry.gen.ts'
import { openWeb } from '../../server/web/serve.ts'
import { accessibilityFailures, type Conduct, openBrowser, watch } from '../fixtures/browser.ts'
import { runCommand } from '../fixtures/run-command.ts'
import { dialogs, routes } from '../fixtures/web/application-routes.ts'
import { startFake } from '../fixtures/web/fake-service.ts'
import { watchNames } from '../fixtures/web/long-names.ts'

let fake: ReturnType<typeof startFake>
let browser: Browser
let page: Page
let conduct: Conduct
let lengthen: ReturnType<typeof watchNames>

beforeAll(async () => {
  fake = startFake(await openWeb())
  browser = await openBrowser()
  page = await browser.newPage({ locale: 'en-US' })
  // Less than a test has: a page that does not come must not take the browser with it.
  page.setDefaultTimeout(10_000)
  conduct = await watch(page, fake.server.url.origin)
  lengthen = watchNames(page)
}, 60_000)
afterAll(async () => {
  await browser.close()
  await fake.server.stop(true)
})
beforeEach(() => fake.reset())
afterEach(() => expect(fake.state.violations).toEqual([]))

const look = async (path: string, heading: string): Promise<void> => {
  await page.goto(new URL(path, fake.server.url).href)
  // A heading that links elsewhere ends with where its link leads, in parentheses.
  const name = new RegExp(`^${heading.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}( ?\\(|$)`)
  await page.getByRole('heading', { name }).first().waitFor()
  // Every part that is still waiting for an answer says so.
  await page
    .getByText(/^Loading .* …$/)
    .first()
    .waitFor({ state: 'detached' })
}

const wide = { width: 1280, height: 860 }
/** 1280 by 1024 pixels at 400 percent. */
const zoomed = { width: 320, height: 256 }

/** Commands that were seen on any page. */
const shown = new Set<string>()

/**
 * What is wrong with the page as it stands, or with what `within` selects: light and wide, then dark and zoomed, where
 * it may not be wider than the window either.
 */
const faults = async (within?: string): Promise<string[]> => {
  const found: string[] = []
  const tell = async (where: string): Promise<void> => {
    for (const failure of await accessibilityFailures(page, [], within)) found.push(`${where}: ${failure}`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await tell('light')
  await page.setViewportSize(zoomed)
  await page.emulateMedia({ colorScheme: 'dark' })
  await tell('dark, zoomed')
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  if (beyond > 0) found.push(`zoomed: ${beyond} pixels wider than the window`)
  await page.setViewportSize(wide)
  return found
}

/** Collects the commands of the page: those behind the button in its header, and those in its texts. */
const readCommands = async (): Promise<void> => {
  const button = page.getByRole('button', { name: 'Command line', exact: true })
  const isBehind = await button.isVisible()
  if (isBehind) await button.click()
  // What is not drawn yet has no inner text.
  for (const text of await page.locator('[aria-label^="Command: svc "]').allTextContents()) shown.add(text)
  if (isBehind) await page.keyboard.press('Escape')
}

const clean = async (path: string, heading: string, within?: string): Promise<void> => {
  for (const list of [conduct.foreign, conduct.violations, conduct.errors]) list.length = 0
  await page.setViewportSize(wide)
  await look(path, heading)
  expect(await faults(within)).toEqual([])
  await readCommands()
  expect(conduct).toEqual({ foreign: [], violations: [], errors: [] })
}

test.each(routes)(
  'the route %s is clean',
  async (path, heading) => {
    await clean(path, heading)
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
    expect(await lengthen([1440, 390])).toEqual([])
  },
  30_000,
)

test.each(dialogs)(
  'the dialog %s is clean, takes the focus, and Escape leaves it',
  async (path, title) => {
    await clean(path, title, '[role=dialog], [role=alertdialog]')
    const named = { name: title, exact: true }
    const dialog = page.getByRole('dialog', named).or(page.getByRole('alertdialog', named))
    expect(await dialog.evaluate((it) => it.contains(document.activeElement))).toBe(true)
    expect(await lengthen([1440, 390])).toEqual([])
    await page.keyboard.press('Escape')
    await page.locator('[role=dialog], [role=alertdialog]').waitFor({ state: 'detached' })
    expect(page.url()).not.toContain('dialog=')
  },
  30_000,
)

test('a key that is shown once, the palette, the menus, and a refusal are clean', async () => {
  await look('/app/t/acme/-/keys?dialog=new', 'Create an API key')
  await page.getByLabel('Name').fill('laptop')
  await page.keyboard.press('Enter')
  await page.getByLabel('The key', { exact: true }).waitFor()
  expect(await faults()).toEqual([])
  await page.getByLabel('I have stored the key').check()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: /Create an MCP key/ }).waitFor()
  expect(await faults()).toEqual([])
  await page.keyboard.press('Escape')
  for (const menu of ['Account: Ada Lovelace', 'Organization: Acme']) {
    await page.getByRole('button', { name: menu }).click()
    await page.getByRole('menu').waitFor()
    // Around an open menu base-ui guards the focus with elements that axe takes for content.
    expect(await faults('[role=menu]')).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
  }
  const commands = page.getByRole('button', { name: 'Command line', exact: true })
  await commands.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Command line' }).waitFor()
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Copy the command')
  expect(await faults('[role=dialog]')).toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await commands.evaluate((it) => it === document.activeElement)).toBe(true)
  fake.state.role = 'viewer'
  await look('/app/t/acme/-/keys', "You don't have access")
  expect(await faults()).toEqual([])
}, 30_000)

test('zoomed, the sections are behind a button', async () => {
  await page.setViewportSize(zoomed)
  await look('/app/t/acme', 'Projects')
  expect(await page.getByRole('navigation', { name: 'Sections' }).isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Sections' }).click()
  await page.getByRole('link', { name: 'Audit trail' }).click()
  await page.getByRole('heading', { name: 'Audit trail' }).waitFor()
  expect(await page.getByRole('navigation', { name: 'Sections' }).isVisible()).toBe(false)
})

/** The commands as they are declared, doing nothing: what is left is whether a command line is understood. */
const idle: Registry = Object.fromEntries(
  Object.entries(registry).map(([name, { summary, load }]) => [
    name,
    { summary, load: load && (async () => ({ ...(await load()), run: async () => ({}) })) },
  ]),
)

test('every command that a page shows is one that svc understands', async () => {
  // The page that is open would ask once more, and be refused.
  await page.goto('about:blank')
  Object.assign(fake.state, { claimed: false, signedIn: false })
  await clean('/app/sign-in', 'Set up svc')
  expect(shown.size).toBeGreaterThan(18)
  const refused: string[] = []
  for (const line of shown) {
    const words = line.split(' ').map((word) => word.replaceAll("'", ''))
    const { exit, stderr } = await runCommand(words.slice(1), idle)
    if (exit !== 0) refused.push(`${line}: ${stderr}`)
  }
  expect(refused).toEqual([])
}, 60_000)
