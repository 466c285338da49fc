/**
 * A real Chromium for tests, from npm alone: `@sparticuz/chromium` carries the binary as one brotli file. It is unpacked
 * once into node_modules/.cache under its version, by a rename, so that test processes running side by side never start
 * a half-written file. `CHROMIUM_PATH` names a system browser instead.
 */
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { inflate } from '@sparticuz/chromium'
import { type Browser, chromium, type Page } from 'playwright-core'

const root = join(import.meta.dir, '..')
const packaged = join(root, 'node_modules/@sparticuz/chromium')

const binary = async (): Promise<string> => {
  const given = process.env['CHROMIUM_PATH']
  if (given) return given
  const { version } = JSON.parse(await readFile(join(packaged, 'package.json'), 'utf8')) as { version: string }
  const path = join(root, 'node_modules/.cache/svc', `chromium-${version}`)
  if (!existsSync(path)) {
    await mkdir(dirname(path), { recursive: true })
    const unpacked = await promisify(brotliDecompress)(await readFile(join(packaged, 'bin/chromium.br')))
    const draft = `${path}.${process.pid}`
    await writeFile(draft, unpacked)
    await chmod(draft, 0o755)
    await rename(draft, path)
  }
  return path
}

/** Starts a headless Chromium; the caller closes it. Works as root and without any font or browser installed. */
export const openBrowser = async (): Promise<Browser> => {
  const executablePath = await binary()
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) env[name] = value
  // Without any font configuration Chromium draws no text at all: the package's own one family serves then.
  if (!existsSync('/etc/fonts') && !env['FONTCONFIG_PATH'])
    env['FONTCONFIG_PATH'] = await inflate(join(packaged, 'bin/fonts.tar.br'))
  return chromium.launch({
    executablePath,
    env,
    args: ['--no-sandbox', '--disable-background-networking', '--disable-gpu', '--font-render-hinting=none'],
  })
}

/** What a page did that a test judges: requests that left the origin, violations of its policy, errors of its scripts. */
export interface Conduct {
  readonly foreign: string[]
  readonly violations: string[]
  readonly errors: string[]
}

/**
 * Watches a page from before its first request. Requests to any other origin are recorded and cut off, so that a test
 * neither needs nor uses a network.
 */
export const watch = async (page: Page, origin: string): Promise<Conduct> => {
  const conduct: Conduct = { foreign: [], violations: [], errors: [] }
  await page.route(
    (url) => url.origin !== origin && /^(https?|wss?):$/.test(url.protocol),
    (route) => {
      conduct.foreign.push(route.request().url())
      return route.abort()
    },
  )
  page.on('pageerror', (error) => conduct.errors.push(error.message))
  page.on('console', (message) => {
    const text = message.text()
    if (/Content Security Policy|Refused to/.test(text)) conduct.violations.push(text)
    else if (message.type() === 'error') conduct.errors.push(text)
  })
  await page.addInitScript(() => {
    // Violations under report-less policies reach the console too, but not those of workers: this catches all.
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`Content Security Policy: ${event.violatedDirective} blocked ${event.blockedURI}`)
    })
  })
  return conduct
}

/**
 * Runs axe-core (WCAG 2.0–2.2 A and AA and its best practices) over the page, outside of `exclude`, or over what
 * `within` selects. Gives one line per failing rule and node; an empty list is a clean page.
 */
export const accessibilityFailures = async (
  page: Page,
  exclude: readonly string[] = [],
  within?: string,
): Promise<string[]> => {
  // Through the debugger protocol: a script element would be refused by the very policy under test.
  if (!(await page.evaluate(() => 'axe' in window)))
    await page.evaluate(await readFile(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8'))
  return page.evaluate(
    async ([selectors, within]) => {
      interface Axe {
        run(
          context: object,
          options: object,
        ): Promise<{
          violations: { id: string; help: string; nodes: { target: string[]; failureSummary: string }[] }[]
        }>
      }
      const { axe } = window as unknown as { axe: Axe }
      const result = await axe.run(
        {
          exclude: selectors.map((selector) => [selector]),
          ...(within === undefined ? {} : { include: [[within]] }),
        },
        {
          resultTypes: ['violations'],
          runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
        },
      )
      return result.violations.flatMap((violation) =>
        violation.nodes.map((node) => `${violation.id} at ${node.target.join(' ')}: ${node.failureSummary}`),
      )
    },
    [exclude, within] as const,
  )
}
