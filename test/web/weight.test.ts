/** The size of the application, as a browser with an empty cache loads it. How soon it is painted is measured by the benchmarks. */
import { expect, test } from 'bun:test'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { openWebPage } from '../fixtures/web/page.ts'

const on = openWebPage()

const brotli = promisify(brotliCompress)

/** What a file takes on the wire in a release, where it is compressed as far as brotli goes; fonts are compressed already. */
const released = async (url: string): Promise<number> => {
  const plain = new Uint8Array(await (await fetch(url, { headers: { 'accept-encoding': 'identity' } })).arrayBuffer())
  if (url.endsWith('.woff2')) return plain.length
  const small = await brotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
  return Math.min(small.length, plain.length)
}

/** Opens a page with an empty cache: the files that it is made of, scripts, styles and fonts, and what they take in a release. */
const open = async (path: string): Promise<{ bytes: number; files: string[] }> => {
  const context = await on.browser.newContext({ locale: 'en-US' })
  const page = await context.newPage()
  const address = new URL(path, on.fake.server.url).href
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  const files = await page.evaluate(async () => {
    await document.fonts.ready
    const assets = performance.getEntriesByType('resource').filter((it) => it.name.includes('/app/assets/'))
    return [...new Set(assets.map((it) => it.name))]
  })
  await context.close()
  const sizes = await Promise.all([address, ...files].map(released))
  return { bytes: sizes.reduce((sum, it) => sum + it, 0), files }
}

test('scripts, styles and fonts that open the application are at most 230 kB as a release sends them', async () => {
  for (const path of ['/app/t/acme/-/home', '/app/t/acme']) {
    const { bytes, files } = await open(path)
    expect(files.filter((it) => it.endsWith('.woff2')).length).toBeGreaterThan(0)
    expect(bytes).toBeGreaterThan(50_000)
    expect(bytes).toBeLessThanOrEqual(230_000)
  }
})

test('the fonts are at most 36 KiB, and only the application itself is asked for them', async () => {
  await on.go('/app/t/acme/train-travel/2.0.0/operations')
  await on.page.getByText('1,200 operations').waitFor()
  const fonts = await on.page.evaluate(async () => {
    await document.fonts.ready
    return (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter((it) => it.name.endsWith('.woff2'))
      .map((it) => ({ origin: new URL(it.name).origin === location.origin, bytes: it.decodedBodySize }))
  })
  expect(fonts.map((it) => it.origin)).toEqual([true, true])
  expect(fonts.reduce((sum, it) => sum + it.bytes, 0)).toBeLessThanOrEqual(36 * 1024)
})
