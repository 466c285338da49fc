/**
 * What pages of large documents cost a browser: `node scripts/bun.mjs run bench/large-pages.ts FOLDER [--only TEXT]`. The documents of the folder (JSON or
 * YAML, by name) become versions of one project, all but the last two published, and the first of them once more a draft. Every
 * page is opened twice in Chromium against the executable: the second time the service has what it keeps. Prints for each
 * opening when it was usable, the longest task of the main thread, the requests with what they transfer, and the heap.
 */
import { readdirSync } from 'node:fs'
import { loadavg } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { openBrowser } from '../test/fixtures/browser.ts'
import { binary, freshFolder, startServer } from './measure.ts'
import { largePages } from './large-pages/pages.ts'
import { fill, signInPage } from './large-pages/seed.ts'
import { PageMeter } from './large-pages/meter.ts'

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: { only: { type: 'string', default: '' }, width: { type: 'string', default: '1440' } },
})
const [folder] = positionals
const files =
  folder === undefined
    ? []
    : readdirSync(folder)
        .filter((it) => /\.(?:json|ya?ml)$/.test(it))
        .toSorted()
if (folder === undefined || files.length < 2) {
  console.error('Name a folder with two documents or more: bench/large-pages.ts FOLDER [--only TEXT]')
  process.exit(2)
}

const load = (): string =>
  loadavg()
    .map((it) => it.toFixed(1))
    .join(' ')
const env = { SVC_WORKSPACE: freshFolder('large-pages'), SVC_MCP_HTTP_PORT: '0' }
const server = await startServer([binary, 'serve', '--port', '0', '--log-level', 'silent'], env)
const browser = await openBrowser()
try {
  const documents = files.map((it) => ({ name: basename(it), path: join(folder, it) }))
  const labels = await fill(server.url, env, documents)
  console.log(`${documents.map(({ name }, at) => `${labels[at]}: ${name}`).join(', ')}; load ${load()}`)
  const page = await browser.newPage({ viewport: { width: Number(values.width), height: 900 }, locale: 'en-US' })
  page.setDefaultTimeout(120_000)
  await signInPage(page, server.url)
  const meter = await PageMeter.over(browser, page)
  for (const { name, path, ready, act } of largePages(labels, documents)) {
    if (!name.includes(values.only)) continue
    for (const turn of ['first', 'again'])
      console.log(`${name} (${turn}, load ${load()})\n${await meter.open(`${server.url}${path}`, ready)}`)
    for (const [what, does] of Object.entries(act ?? {})) console.log(`  then ${what}\n${await meter.during(does)}`)
  }
} finally {
  await browser.close()
  await server.stop()
}
