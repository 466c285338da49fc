/** The size of the application, as a browser with an empty cache loads it. How soon it is painted is measured by the benchmarks. */
import { expect, test } from 'bun:test'
import { openWebPage } from '../fixtures/web/page.ts'

const on = openWebPage()

/** Opens the application with an empty cache: what came over the wire. */
const open = async (path: string): Promise<{ bytes: number; files: string[] }> => {
  const context = await on.browser.newContext()
  const page = await context.newPage()
  await page.goto(new URL(path, on.fake.server.url).href)
  await page.getByRole('heading', { level: 1 }).waitFor()
  const seen = await page.evaluate(() => {
    const assets = performance.getEntriesByType('resource').filter((it) => it.name.includes('/app/assets/'))
    const entries = [...performance.getEntriesByType('navigation'), ...assets] as PerformanceResourceTiming[]
    const needed = entries.filter((it) => !it.name.endsWith('.woff2'))
    return {
      bytes: needed.reduce((sum, it) => sum + it.encodedBodySize, 0),
      files: assets.map((it) => it.name).filter((name) => !name.endsWith('.woff2')),
    }
  })
  await context.close()
  return seen
}

const loaded = (): Promise<string[]> =>
  on.page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map((it) => it.name)
      .filter((name) => name.includes('/app/assets/') && !name.endsWith('.woff2')),
  )

test('what opens the application is at most 250 KiB as it is sent, without the fonts that it does not wait for, and its everyday pages fetch no more', async () => {
  const { bytes, files } = await open('/app/t/acme')
  expect(bytes).toBeGreaterThan(50 * 1024)
  expect(bytes).toBeLessThanOrEqual(250 * 1024)
  await on.go('/app/t/acme/train-travel/2.0.0/operations')
  await on.page.getByText('1,200 operations').waitFor()
  for (const view of ['Lint', 'Changes', 'Operations'])
    await on.page.getByRole('link', { name: view, exact: true }).click()
  await on.page.getByText('1,200 operations').waitFor()
  expect((await loaded()).toSorted()).toEqual(files.toSorted())
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
