/** The playground in a browser: its answers, its policy, its address, and the page that `svc export` writes. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { registry } from '../../cli/registry.gen.ts'
import { sitePlugin } from '../../server/http/site.ts'
import { openWeb, type Web } from '../../server/web/serve.ts'
import { compareTexts } from '../../src/playground/compare.ts'
import { lintText } from '../../src/playground/lint.ts'
import { accessibilityFailures, openBrowser, watch } from '../fixtures/browser.ts'
import { runCommand } from '../fixtures/run-command.ts'

setDefaultTimeout(60_000)

const folder = join(import.meta.dir, '../../node_modules/@readme/oas-examples')
const real = (name: string): string => readFileSync(join(folder, name), 'utf8')
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

let browser: Browser
let server: ReturnType<typeof Bun.serve>
let web: Web
beforeAll(async () => {
  web = await openWeb()
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => web.serve(request) ?? new Response(null, { status: 404 }),
  })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.stop(true)
})

const isReady = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => document.documentElement.dataset['ready'] === 'true')

async function open(fragment = '', scheme: 'light' | 'dark' = 'light', width = 1440) {
  const context = await browser.newContext({ colorScheme: scheme, viewport: { width, height: 900 } })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const page = await context.newPage()
  const conduct = await watch(page, server.url.origin)
  await page.goto(new URL(`/play${fragment}`, server.url).href)
  await isReady(page)
  return { page, conduct, close: () => context.close() }
}

test('a first load takes at most 300 kB', async () => {
  // What a release sends; builds for tests compress less. Hosts of static files send gzip.
  const page = await web.playground()
  expect(brotliCompressSync(page).length).toBeLessThanOrEqual(300_000)
  expect(gzipSync(page, { level: 9 }).length).toBeLessThanOrEqual(300_000)
})

test('scripts ask for what the commands print', async () => {
  const { page, conduct, close } = await open()
  const texts = [real('3.1/json/petstore.json'), real('3.0/yaml/star-trek.yaml'), '{"openapi": ', '']
  for (const text of texts)
    expect(await page.evaluate((it) => window.svcPlayground.lint(it), text)).toEqual(
      plain(await lintText(text)) as never,
    )
  const [base, head] = [real('3.0/json/petstore.json'), real('3.0/json/petstore.json').replace('"pet"', '"dog"')]
  const today = new Date().toISOString().slice(0, 10)
  const expected = compareTexts({ name: 'base', text: base }, { name: 'head', text: head }, today)
  expect(await page.evaluate(([a, b]) => window.svcPlayground.compare(a, b), [base, head] as const)).toEqual(
    plain(expected) as never,
  )
  const refused = await page.evaluate(() =>
    window.svcPlayground.compare('{', '{}').catch((error: Error) => error.message),
  )
  expect(refused).toContain('base:1:2')
  expect(conduct).toEqual({ foreign: [], violations: [], errors: [] })
  await close()
})

test('findings stand beside their lines, and lead to them', async () => {
  const { page, close } = await open()
  await page
    .getByLabel('Document')
    .fill('openapi: 3.1.0\ninfo:\n  title: a\n  version: "1"\npaths:\n  /a/{b}:\n    get: {}\n')
  const finding = page.getByRole('button', { name: /must define parameter/ })
  await finding.click()
  const selected = await page
    .getByLabel('Document')
    .evaluate((field: HTMLTextAreaElement) => field.value.slice(0, field.selectionStart).split('\n').length)
  expect(selected).toBe(7)
  expect(await page.locator('.numbers .error').first().textContent()).toBe('7')
  await close()
})

test('an address holds the input, and nothing of it is sent', async () => {
  const { page, close } = await open()
  await page.getByLabel('Example').selectOption({ label: 'One more value in an answer' })
  await page.getByText('Breaking', { exact: true }).waitFor()
  const base = await page.getByLabel('Base').inputValue()
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.getByText('The link is copied').waitFor()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  await close()
  const again = await open(new URL(link).hash)
  await again.page.getByText('Breaking', { exact: true }).waitFor()
  expect(await again.page.getByLabel('Base').inputValue()).toBe(base)
  await again.page.getByRole('button', { name: 'Copy as command' }).click()
  await again.page.getByText('The command is copied').waitFor()
  const command = await again.page.evaluate(() => navigator.clipboard.readText())
  expect(command).toStartWith("cat > base.yaml <<'END'\nopenapi: 3.1.0\n")
  expect(command).toEndWith('svc diff base.yaml head.yaml\n')
  await again.page.getByRole('button', { name: 'Copy as issue' }).click()
  await again.page.getByText('The issue is copied').waitFor()
  expect(await again.page.evaluate(() => navigator.clipboard.readText())).toContain('**What svc answers** (Compare)')
  await again.close()
})

test('an address that is none begins with an example', async () => {
  const { page, conduct, close } = await open('#1.not-compressed')
  await page.getByText(/must define parameter/).waitFor()
  expect(conduct.errors).toEqual([])
  await close()
})

test.each([
  ['light', 1440],
  ['dark', 390],
] as const)('nobody is shut out: %s at %d', async (scheme, width) => {
  const { page, close } = await open('', scheme, width)
  for (const mode of ['Lint', 'Compare', 'Schemas', 'Convert', 'Bundle']) {
    await page.getByRole('button', { name: mode, exact: true }).click()
    await page.locator('.answers[aria-busy]').waitFor({ state: 'detached' })
    expect(await accessibilityFailures(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  }
  await close()
})

test('svc export writes it as one file with the document, which works from a disk', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'svc-playground-'))
  const text = `${real('3.0/yaml/petstore.yaml')}# </script><!-- $& is no end\n`
  await Bun.write(join(cwd, 'openapi.yaml'), text)
  const outcome = await runCommand(['export', 'openapi.yaml', '--as', 'playground', '-o', 'try.html'], registry, {
    cwd,
  })
  expect(outcome.exit).toBe(0)
  const page = await browser.newPage()
  const conduct = await watch(page, 'null')
  await page.goto(`file://${join(cwd, 'try.html')}`)
  await isReady(page)
  expect(await page.getByLabel('Document').inputValue()).toBe(text)
  await page.getByText(/^Score/).waitFor()
  expect(conduct).toEqual({ foreign: [], violations: [], errors: [] })
  await page.close()
  await rm(cwd, { recursive: true })
})

test.each([
  [true, 200],
  [false, 404],
])('a service serves it where its operator wants it: %p', async (isOn, status) => {
  const answer = await sitePlugin(isOn).handle(new Request('http://svc.test/play'))
  expect(answer.status).toBe(status)
})
