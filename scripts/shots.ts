/**
 * Pictures of the application, to be looked at: `npm run shots -- FOLDER [--only TEXT]`. Drives the real service, filled with
 * documents in several versions, and the fake service of the tests for what needs an outside (repositories, deliveries), in
 * Chromium: every route in both themes at 1440 and 390 pixels. Prints what is wider than the window and every error of a page.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { openWeb } from '../server/web/serve.ts'
import { openBrowser } from '../test/fixtures/browser.ts'
import { routes as fakeRoutes } from '../test/fixtures/web/application-routes.ts'
import { startFake } from '../test/fixtures/web/fake-service.ts'
import { openReal } from '../test/fixtures/web/real.ts'
import { realRoutes, seed } from './shots/seed.ts'
import { settle } from './shots/settle.ts'

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: { only: { type: 'string', default: '' } },
})
const [folder] = positionals
if (folder === undefined) {
  console.error('Name the folder for the pictures: npm run shots -- FOLDER [--only TEXT]')
  process.exit(2)
}

const windows = [
  { name: 'wide', width: 1440, height: 900 },
  { name: 'narrow', width: 390, height: 844 },
] as const
const themes = ['light', 'dark'] as const

/** The path as the name of a file. */
const nameOf = (path: string): string => path.replaceAll(/[^\w.-]+/g, '_').replaceAll(/^_+|_+$/g, '') || 'start'

let problems = 0
const tell = (line: string): void => {
  problems += 1
  console.log(line)
}

async function shoot(page: Page, into: string, path: string, address: string): Promise<void> {
  for (const { name, width, height } of windows) {
    await page.setViewportSize({ width, height })
    await page.goto(address)
    await settle(page).catch((error: Error) => tell(`${path} ${name}: ${error.message.split('\n')[0]}`))
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (beyond > 0) tell(`${path} ${name}: ${beyond} pixels wider than the window`)
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: join(into, `${nameOf(path)}.${name}.${colorScheme}.png`), fullPage: true })
    }
  }
}

async function drive(page: Page, into: string, paths: readonly string[], addressOf: (path: string) => string) {
  await mkdir(into, { recursive: true })
  page.on('pageerror', (error) => tell(`${page.url()}: ${error.message}`))
  for (const path of paths.filter((it) => it.includes(values.only))) await shoot(page, into, path, addressOf(path))
}

const real = await openReal()
await seed(real)
const origin = new URL(real.page.url()).origin
await drive(real.page, join(folder, 'real'), realRoutes, (path) => `${origin}/app${path}`)
await real.close()

const fake = startFake(await openWeb())
const browser = await openBrowser()
const page = await browser.newPage({ locale: 'en-US' })
page.setDefaultTimeout(10_000)
const fakePaths = fakeRoutes.map(([path]) => path)
await drive(page, join(folder, 'fake'), fakePaths, (path) => new URL(path, fake.server.url).href)
await browser.close()
await fake.server.stop(true)
console.log(problems === 0 ? 'Nothing is wider than its window.' : `${problems} problems.`)
