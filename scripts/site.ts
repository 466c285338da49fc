/**
 * Writes the documentation as a folder of static files, for any host: `npm run site -- [--out dist/site]
 * [--address https://example.com/svc/] [--release 0.2.0] [--released 0.2.0,0.1.0] [--no-screens]`.
 * `--address` is where the folder will be; sitemap, canonical addresses and the feed need it. `--released` lists the releases
 * whose sites are in `versions/` below the folder, newest first; `--release` names the one that such a site is of.
 */
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { output } from './release/run.ts'
import { writeSite } from './site/build.ts'
import { takeScreens } from './site/screens.ts'

const root = join(import.meta.dir, '..')
const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    out: { type: 'string', default: join(root, 'dist/site') },
    address: { type: 'string' },
    release: { type: 'string' },
    released: { type: 'string', default: '' },
    'no-screens': { type: 'boolean', default: false },
  },
})

const refuse = (reason: string): never => {
  console.error(reason)
  process.exit(2)
}

const version = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/
const released = values.released.split(',').filter(Boolean)
for (const name of [...released, ...(values.release === undefined ? [] : [values.release])])
  if (!version.test(name)) refuse(`"${name}" is no version such as 1.2.0.`)

/** @returns the address with a slash at its end */
function readAddress(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    return refuse(
      `--address "${text}" is not an http address without query and fragment, such as https://example.com/svc/.`,
    )
  return url.href.endsWith('/') ? url.href : `${url.href}/`
}

const { version: packaged } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
// The time of the commit, so that the same sources give the same feed; outside of a repository the present.
const updated = await output(['git', 'log', '-1', '--format=%cI'], { cwd: root }).catch(() => new Date().toISOString())
const started = performance.now()
const out = resolve(values.out)
const count = await writeSite({
  root,
  out,
  address: values.address === undefined ? null : readAddress(values.address),
  version: values.release ?? `${packaged}, next`,
  home: values.release === undefined ? '' : '../../',
  released,
  updated: updated.trim(),
  screens: values['no-screens'] ? new Map() : await takeScreens(),
})
console.log(`${out}: ${count} files in ${((performance.now() - started) / 1000).toFixed(0)} s`)
if (values.address === undefined)
  console.log(
    'Without --address the site has no sitemap, no feed and no canonical addresses, and its 404 page is for the top of a host.',
  )
