/**
 * Measures every page that lists or adds up in an organization of 1,000 projects: `npm run page-speed -- [--only TEXT]`. Starts the
 * executable on a workspace that it fills (or on `--workspace FOLDER`, filled before) and opens the pages in Chromium, each three times (`--rounds N`); the
 * least is what counts, because the machine may be busy. `--documents FOLDER` imports the descriptions of a folder beside the
 * generated ones. Ends with 1 where a page exceeds a bound.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { binary, startServer } from '../bench/measure.ts'
import { openBrowser } from '../test/fixtures/browser.ts'
import { type Cost, costOf } from './page-speed/measure.ts'
import { account, fill } from './page-speed/fill.ts'
import { pagesOf } from './page-speed/pages.ts'

const bounds = { readyMs: 1000, longestTaskMs: 200, bytes: 1024 * 1024 }

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    workspace: { type: 'string' },
    documents: { type: 'string' },
    projects: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '3' },
  },
})

const workspace = values.workspace ?? mkdtempSync(join(tmpdir(), 'svc-page-speed-'))
const env = { SVC_WORKSPACE: workspace, SVC_MCP_HTTP_PORT: '0' }
if (values.workspace === undefined) await fill(env, Number(values.projects), values.documents ?? null)

const kb = (bytes: number): string => `${Math.ceil(bytes / 1024).toLocaleString('en')} kB`
const ms = (value: number): string => `${Math.round(value).toLocaleString('en')} ms`

let misses = 0
const line = (name: string, costs: readonly Cost[]): string => {
  const least = (of: (cost: Cost) => number): number => Math.min(...costs.map(of))
  const [first] = costs
  if (first === undefined) throw new Error('no round was measured')
  const { largest, sent, plain } = first
  const ready = least((it) => it.readyMs)
  const longest = least((it) => it.longestTaskMs)
  const missed = [
    ready > bounds.readyMs ? 'ready too late' : null,
    longest > bounds.longestTaskMs ? 'a long task' : null,
    (largest?.bytes ?? 0) > bounds.bytes ? `large answer ${largest?.path}` : null,
    plain.length > 0 ? `sent as it is: ${plain.join(' ')}` : null,
  ].filter((it) => it !== null)
  if (missed.length > 0) misses += 1
  const size = largest === null ? '–' : `${kb(largest.bytes)} as ${kb(largest.sent)}`
  const cells = [name, ms(ready), ms(longest), ms(least((it) => it.mainThreadMs)), size, kb(sent), missed.join('; ')]
  return `| ${cells.join(' | ')} |`
}

const server = await startServer([binary, 'serve', '--port', '0', '--log-level', 'silent'], env)
const browser = await openBrowser()
try {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await page.goto(`${server.url}/app/sign-in`)
  await page.waitForLoadState('networkidle')
  await page.getByLabel('E-mail address').fill(account.email)
  await page.getByLabel('Password').fill(account.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: /Home|Projects|organizations/ }).waitFor()
  console.log('| Page | Ready | Longest task (CPU) | Main thread (CPU) | Largest answer | Sent in all | Missed |')
  console.log('|---|---|---|---|---|---|---|')
  for (const [name, path] of await pagesOf(page, server.url)) {
    if (!`${name} ${path}`.includes(values.only)) continue
    const costs: Cost[] = []
    for (let round = 0; round < Number(values.rounds); round++)
      costs.push(await costOf(browser, page, `${server.url}/app${path}`))
    console.log(line(name, costs))
  }
} finally {
  await browser.close()
  await server.stop()
}
console.log(
  `\n${misses === 0 ? 'Every page is within the bounds.' : `${misses} pages exceed a bound.`} Workspace: ${workspace}`,
)
if (misses > 0) process.exitCode = 1
