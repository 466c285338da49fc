/** The documentation as a folder of static files: the pages that a service has under /docs, for any host and any path. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buildPlayground } from '../../web/playground/build.ts'
import type { Assets } from '../../web/docs/frame.ts'
import { fileOf, wayUp } from '../../web/docs/place.ts'
import { escapeHtml } from '../../web/docs/render.ts'
import { buildSite, type Site } from '../../web/docs/site.ts'
import type { DocumentedVersion } from '../../web/docs/versions.ts'
import { feedOf } from './feed.ts'
import { llmsOf, markdownFileOf } from './llms.ts'
import { withScreens } from './screens.ts'

export interface SiteOptions {
  /** The project's folder. */
  readonly root: string
  /** The folder that is written; what it has is removed first, `versions` excepted. */
  readonly out: string
  /** Where the site will be, as https://example.com/svc/; null leaves out what needs it: canonical addresses, sitemap, feed. */
  readonly address: string | null
  /** What the switch calls this documentation. */
  readonly version: string
  /** The way from this site to the folder with `versions.json`: "" here, "../../" in `versions/0.2.0`. */
  readonly home: string
  /** Released versions, newest first, which are in `versions/` beside this site. */
  readonly released: readonly string[]
  /** The time of the newest change, as `2026-01-31T12:00:00Z`. */
  readonly updated: string
  /** Pictures of the application by name, as PNG. */
  readonly screens: ReadonlyMap<string, Uint8Array>
}

/** The links of a page as files, from the file that they are in. */
const relinked = (html: string, up: string): string =>
  html.replaceAll(
    /(href|src)="(\/(?:docs|play)(?:[/#][^"]*)?)"/g,
    (_, name: string, address: string) => `${name}="${up}${fileOf(address)}"`,
  )

/** The script as one file that is no module, which a page opened as a file may load. */
async function bundleScript(root: string): Promise<string> {
  const result = await Bun.build({
    entrypoints: [join(root, 'web/docs/main.ts')],
    target: 'browser',
    format: 'iife',
    minify: true,
  })
  const [output] = result.outputs
  if (output === undefined) throw new Error('The bundler gave nothing for web/docs/main.ts.')
  return output.text()
}

const links = `<div class="versions" hidden><label for="version" class="hidden">Version</label><select id="version"></select></div>
<a class="application" href="/play">Playground</a>`

const assetsOf = ({ address }: SiteOptions): Assets => ({
  script: '/docs/assets/site.js',
  style: '/docs/assets/site.css',
  icon: '/docs/assets/icon.svg',
  isModule: false,
  links,
  head: (_, page) => {
    if (page === '') return '<meta name="robots" content="noindex">\n'
    const markdown = `<link rel="alternate" type="text/markdown" href="/docs/${markdownFileOf(page)}">\n`
    if (address === null) return markdown
    return `<link rel="canonical" href="${escapeHtml(address + encodeURI(fileOf(page)))}">
<link rel="alternate" type="application/atom+xml" title="svc changelog" href="/docs/changelog.xml">
${markdown}`
  },
})

/** A page with the way to its folder in it, for the search and the switch of versions. */
function asFile(html: string, path: string, { home, version, address }: SiteOptions): string {
  // What does not exist is answered at any depth: its links begin at the host.
  const up = path === '404.html' ? new URL(address ?? 'http://localhost/').pathname : wayUp(path)
  const data = Object.entries({ top: up, home: up + home, version, page: path === '404.html' ? 'index.html' : path })
  const attributes = data.map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`).join('')
  return relinked(html, up).replace('<html lang="en">', `<html lang="en"${attributes}>`)
}

const sitemapOf = ({ pages }: Site, address: string): string => {
  const entries = pages.map(
    (page) => `<url><loc>${escapeHtml(address + encodeURI(fileOf(page.address)))}</loc></url>\n`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('')}</urlset>\n`
}

/** Everything that is beside the pages. */
async function sideFiles(site: Site, options: SiteOptions): Promise<Record<string, string>> {
  const { root, address, released, version, home, updated } = options
  const [script, style, icon, playground, changelog] = await Promise.all([
    bundleScript(root),
    readFile(join(root, 'web/docs/style.css'), 'utf8'),
    readFile(join(root, 'web/icon.svg'), 'utf8'),
    buildPlayground(root),
    readFile(join(root, 'CHANGELOG.md'), 'utf8'),
  ])
  const versions: DocumentedVersion[] = [
    { name: version, path: '' },
    ...released.map((name) => ({ name, path: `versions/${name}/` })),
  ]
  return {
    'assets/site.js': script,
    'assets/site.css': style,
    'assets/icon.svg': icon,
    'play.html': playground.html,
    'llms.txt': llmsOf(site.navigation, address ?? ''),
    ...(home === '' ? { 'versions.json': `${JSON.stringify(versions, null, 2)}\n` } : {}),
    ...(address === null
      ? {}
      : {
          'sitemap.xml': sitemapOf(site, address),
          'robots.txt': `User-agent: *\nAllow: /\nSitemap: ${address}sitemap.xml\n`,
          'changelog.xml': feedOf(changelog, address, updated),
        }),
    // GitHub Pages would leave out what begins with an underscore.
    '.nojekyll': '',
  }
}

async function clear(out: string): Promise<void> {
  await mkdir(out, { recursive: true })
  for (const name of new Bun.Glob('*').scanSync({ cwd: out, dot: true, onlyFiles: false }))
    if (name !== 'versions') await rm(join(out, name), { recursive: true })
}

/**
 * Writes the site.
 * @returns how many files it has
 */
export async function writeSite(options: SiteOptions): Promise<number> {
  const site = await buildSite(options.root, assetsOf(options), true)
  const files = new Map<string, string | Uint8Array>(Object.entries(await sideFiles(site, options)))
  for (const { path, text } of site.files) {
    if (path === 'search.json') files.set('search.js', `window.svcSearchIndex=${JSON.stringify(text)}\n`)
    else
      files.set(path, path.endsWith('.html') ? asFile(withScreens(text, path, options.screens), path, options) : text)
  }
  for (const { address, markdown } of site.pages) files.set(markdownFileOf(address), markdown)
  for (const [name, bytes] of options.screens) files.set(`screens/${name}.png`, bytes)
  await clear(options.out)
  for (const [path, content] of files) {
    const file = join(options.out, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
  }
  return files.size
}
