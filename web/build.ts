/**
 * Builds everything a browser loads into `dist/web/web.pack`: `bun web/build.ts [--if-stale] [--release]`.
 * The compiled binary embeds the pack as one more entry point of the compile; from source the server reads it.
 * `--release` also writes `dist/playground`, for hosts of static files.
 * `--if-stale` does nothing when the pack was built from these very sources; `--release` compresses as far as brotli
 * goes (ten times slower, a sixth smaller).
 */
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import type { Endpoint } from '../src/api/endpoint.ts'
import type { Entry } from '../src/errors/entry.ts'
import { buildSite } from './docs/site.ts'
import { buildPlayground } from './playground/build.ts'
import { type PackIndex, plainBytes, readPackIndex, type Unpacked, writePack } from './pack.ts'

const root = join(import.meta.dir, '..')
const compress = promisify(brotliCompress)

const hashOf = (bytes: Uint8Array): string => new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, 16)

/** Digest of all that decides what the pack holds: our sources, those that the reference of commands and operations is made from, the locked dependencies and how they are compressed. */
export const digestSources = async (release: boolean): Promise<string> => {
  const hasher = new Bun.CryptoHasher('sha256').update(release ? 'release' : 'quick').update(Bun.version)
  const paths = ['package-lock.json', 'package.json', 'CHANGELOG.md']
  for (const folder of [
    'web',
    // The playground has the engines.
    'src',
    'docs',
    'commands',
    'cli',
    'server/openapi',
    'scripts/reference',
  ])
    for await (const path of new Bun.Glob(`${folder}/**/*`).scan({ cwd: root })) paths.push(path)
  for (const path of paths.sort()) hasher.update(path).update(await readFile(join(root, path)))
  return hasher.digest('hex').slice(0, 32)
}

const typeOf: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  html: 'text/html; charset=utf-8',
  json: 'application/json',
  woff2: 'font/woff2',
}

/** Areas of the error catalogue that only commands raise. */
export const commandAreas: readonly string[] = ['files', 'gateway-agent', 'git-drivers', 'joins', 'machine']

/** The errors that the application raises itself; the message of any other is in the answer of the service. */
export const raisedInBrowser: readonly string[] = [
  'auth-rate-limited',
  'oidc-account-unknown',
  'oidc-not-configured',
  'oidc-refused',
  'oidc-unavailable',
  'request-invalid',
  'transport-failed',
  'usage',
]

/**
 * Of the error catalogue a browser needs the hints for browsers, and the messages of what it raises: what to type in a terminal, and the
 * exit statuses of commands, stay out of the bundle.
 */
const browserTexts: Bun.BunPlugin = {
  name: 'browser-texts',
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/]errors[\\/][a-z-]+\.ts$/ }, async ({ path }) => {
      // These are no areas of the catalogue.
      if (/(?:entry|api-hints|exit-codes)\.ts$/.test(path)) return undefined
      const areas = (await import(path)) as Record<string, Record<string, Entry>>
      const declarations = Object.entries(areas).map(([name, entries]) => {
        const isLeftOut = commandAreas.some((area) => path.endsWith(`/${area}.ts`))
        const texts = Object.entries(isLeftOut ? {} : entries).map(
          ([code, { status, message, hint, browserHint = hint }]) => [
            code,
            { status, message: raisedInBrowser.includes(code) ? message : '', hint: browserHint },
          ],
        )
        return `export const ${name} = ${JSON.stringify(Object.fromEntries(texts))}\n`
      })
      return { contents: declarations.join(''), loader: 'js' }
    })
  },
}

/** What `toWire` reads of an operation. */
const wireOf = ({ method, path, produces, accepts, body }: Endpoint): object => ({
  method,
  path,
  ...(produces ? { produces } : {}),
  ...(accepts ? { accepts } : {}),
  ...(body ? { body: true } : {}),
})

/**
 * Of the contracts a browser needs how to send a call, and lists of words: the schemas of operations, and the library that schemas
 * are made with, stay out of the bundle. A schema that a page shows is there as the JSON Schema that it is.
 */
const browserContracts: Bun.BunPlugin = {
  name: 'browser-contracts',
  setup(build) {
    build.onLoad({ filter: /[\\/]src[\\/]api[\\/][a-z-]+\.ts$/ }, async ({ path }) => {
      if (!(await Bun.file(path).text()).includes("from '@sinclair/typebox'")) return undefined
      const exports = Object.entries((await import(path)) as Record<string, unknown>)
      // The functions that contracts are made with are not needed where the contracts are data.
      if (exports.some(([, value]) => typeof value === 'function')) return undefined
      const lines = exports.map(([name, value]) => {
        const operations = name.endsWith('Api') ? Object.entries(value as Record<string, Endpoint>) : null
        const data = operations === null ? value : Object.fromEntries(operations.map(([key, it]) => [key, wireOf(it)]))
        return `export const ${name} = ${JSON.stringify(data)}\n`
      })
      return { contents: lines.join(''), loader: 'js' }
    })
  },
}

interface Bundled {
  readonly path: string
  readonly bytes: Uint8Array
  readonly entry: string | null
  /** The scripts that it imports before it runs, those of them included. */
  readonly imports: readonly string[]
}

const nameOf = (path: string): string => path.replace(/^\.?\//, '')

type Outputs = NonNullable<Bun.BuildOutput['metafile']>['outputs']

/** The scripts that one imports before it runs, and those that these import. */
function importsOf(outputs: Outputs, path: string, seen = new Set<string>()): ReadonlySet<string> {
  const output = Object.entries(outputs).find(([name]) => nameOf(name) === path)?.[1]
  for (const { path: imported, kind } of output?.imports ?? []) {
    const name = nameOf(imported)
    if (kind === 'dynamic-import' || seen.has(name)) continue
    seen.add(name)
    importsOf(outputs, name, seen)
  }
  return seen
}

const bundle = async (): Promise<Bundled[]> => {
  const result = await Bun.build({
    entrypoints: ['documentation/main.ts', 'docs/main.ts', 'portal/main.ts', 'src/main.tsx'].map((path) =>
      join(root, 'web', path),
    ),
    root: join(root, 'web'),
    target: 'browser',
    splitting: true,
    minify: true,
    plugins: [browserTexts, browserContracts],
    define: {
      'process.env.NODE_ENV': '"production"',
    },
    naming: { entry: '[dir]-[hash].[ext]', chunk: 'chunk-[hash].[ext]', asset: 'asset-[hash].[ext]' },
    metafile: true,
  })
  // Which packages are in the application: the release lists them.
  await Bun.write(join(root, 'dist', 'web', 'inputs.json'), JSON.stringify(Object.keys(result.metafile?.inputs ?? {})))
  return Promise.all(
    result.outputs.map(async (output) => ({
      path: `assets/${nameOf(output.path)}`,
      bytes: new Uint8Array(await output.arrayBuffer()),
      entry: output.kind === 'entry-point' ? output.path : null,
      imports: [...importsOf(result.metafile?.outputs ?? {}, nameOf(output.path))].map((it) => `assets/${it}`),
    })),
  )
}

const tailwind = async (): Promise<string> => {
  // Its own process: the command line tool is the supported way in, and it decides itself which sources to scan.
  const child = Bun.spawn(
    [
      process.execPath,
      join(root, 'node_modules/@tailwindcss/cli/dist/index.mjs'),
      '--input',
      join(root, 'web/src/style.css'),
      '--minify',
    ],
    { cwd: root, stdout: 'pipe', stderr: 'pipe', stdin: 'ignore' },
  )
  const [out, err, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (status !== 0) throw new Error(`Tailwind failed:\n${err}`)
  return out
}

/** The fonts, by the name that the style sheet has for each. */
const readFonts = async (): Promise<{ name: string; path: string; bytes: Uint8Array }[]> =>
  Promise.all(
    ['inter-latin.woff2', 'mono-ascii.woff2'].map(async (name) => {
      const bytes = await readFile(join(root, 'web/fonts', name))
      return { name, path: `assets/${name.replace('.', `-${hashOf(bytes)}.`)}`, bytes }
    }),
  )

const pack = async (release: boolean, sources: string): Promise<Uint8Array<ArrayBuffer>> => {
  const [bundled, fonts, playground, plainStyle, ownStyle, docsStyle, icon, shell] = await Promise.all([
    bundle(),
    readFonts(),
    buildPlayground(root),
    tailwind(),
    readFile(join(root, 'web/documentation/style.css')),
    readFile(join(root, 'web/docs/style.css')),
    readFile(join(root, 'web/icon.svg')),
    readFile(join(root, 'web/index.html'), 'utf8'),
  ])
  const appStyle = new TextEncoder().encode(
    fonts.reduce((style, { name, path }) => style.replace(name, `/app/${path}`), plainStyle),
  )
  const named = (name: string, bytes: Uint8Array): string => name.replace('*', hashOf(bytes))
  const styles = {
    app: named('assets/app-*.css', appStyle),
    own: named('assets/documentation-*.css', ownStyle),
    docs: named('assets/docs-*.css', docsStyle),
  }
  const iconPath = named('assets/icon-*.svg', icon)
  const script = (folder: string): string => {
    const found = bundled.find((output) => output.entry?.includes(`${folder}-`))
    if (!found) throw new Error(`The bundler gave no entry point for web/${folder}.`)
    return found.path
  }
  const entries: PackIndex['entries'] = {
    documentation: { script: script('documentation'), styles: [styles.app, styles.own] },
    portal: { script: script('portal'), styles: [styles.app, styles.own] },
    app: { script: script('src'), styles: [styles.app] },
  }
  const { files: site } = await buildSite(root, {
    script: `/app/${script('docs')}`,
    style: `/app/${styles.docs}`,
    icon: `/app/${iconPath}`,
  })
  const html = shell
    .replace('{{script}}', `/app/${entries.app.script}`)
    // All that the application begins with is asked for at once, not when the first script was read.
    .replace(
      '{{preloads}}',
      (bundled.find(({ path }) => path === entries.app.script)?.imports ?? [])
        .map((path) => `<link rel="modulepreload" href="/app/${path}" />`)
        .join(''),
    )
    .replace('{{style}}', `/app/${styles.app}`)
    .replace('{{icon}}', `/app/${iconPath}`)
  const files: [path: string, bytes: Uint8Array, immutable: boolean, policy?: string][] = [
    ...bundled.map((output) => [output.path, output.bytes, true] as [string, Uint8Array, boolean]),
    ...fonts.map(({ path, bytes }): [string, Uint8Array, boolean] => [path, bytes, true]),
    [styles.app, appStyle, true],
    [styles.own, ownStyle, true],
    [styles.docs, docsStyle, true],
    [iconPath, icon, true],
    ['index.html', new TextEncoder().encode(html), false],
    ['playground.html', new TextEncoder().encode(playground.html), false, playground.policy],
    ...site.map(({ path, text }): [string, Uint8Array, boolean] => [
      `docs/${path}`,
      new TextEncoder().encode(text),
      false,
    ]),
  ]
  const unpacked = await Promise.all(
    files.map(async ([path, plain, immutable, policy]): Promise<Unpacked> => {
      const small = await compress(plain, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: release ? 11 : 5,
          [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
        },
      })
      const type = typeOf[path.slice(path.lastIndexOf('.') + 1)]
      if (!type) throw new Error(`No media type is known for ${path}.`)
      const brotli = small.length < plain.length ? small : null
      return { path, type, hash: hashOf(plain), immutable, ...(policy === undefined ? {} : { policy }), plain, brotli }
    }),
  )
  return writePack(unpacked, entries, sources)
}

const isFresh = async (path: string, sources: string): Promise<boolean> => {
  const file = Bun.file(path)
  return (await file.exists()) && (await readPackIndex(file)).index.sources === sources
}

/** Two processes that find a stale pack must not both spend the time: the second waits for the first. */
const exclusively = async (path: string, work: () => Promise<void>): Promise<void> => {
  const lock = `${path}.lock`
  for (;;) {
    try {
      await writeFile(lock, String(process.pid), { flag: 'wx' })
      break
    } catch {
      const since = await stat(lock).then(
        (it) => it.mtimeMs,
        () => Date.now(),
      )
      // A builder that was killed leaves its lock; no build takes minutes.
      if (Date.now() - since > 120_000) await rm(lock, { force: true })
      else await sleep(100)
    }
  }
  try {
    await work()
  } finally {
    await rm(lock, { force: true })
  }
}

async function replace(path: string, bytes: Uint8Array): Promise<void> {
  const draft = `${path}.${process.pid}`
  await writeFile(draft, bytes)
  await rename(draft, path)
}

/** The playground for hosts of static files. */
async function writePlayground(packed: string): Promise<void> {
  const file = Bun.file(packed)
  const { index, start } = await readPackIndex(file)
  const page = index.files['playground.html']
  if (page === undefined) throw new Error('The pack has no playground.')
  const path = join(root, 'dist/playground/index.html')
  await mkdir(dirname(path), { recursive: true })
  await replace(path, await plainBytes(page, file.slice(start), promisify(brotliDecompress)))
}

/** Builds `dist/web/web.pack` and gives its path. */
export const buildWeb = async (options: { ifStale?: boolean; release?: boolean } = {}): Promise<string> => {
  const release = options.release ?? false
  const path = join(root, 'dist/web/web.pack')
  const sources = await digestSources(release)
  // What was built for release serves just as well when anything will do.
  const fresh = async (): Promise<boolean> =>
    (await isFresh(path, sources)) || (!release && (await isFresh(path, await digestSources(true))))
  if (options.ifStale && (await fresh())) return path
  await mkdir(dirname(path), { recursive: true })
  await exclusively(path, async () => {
    if (options.ifStale && (await fresh())) return
    await replace(path, await pack(release, sources))
  })
  return path
}

if (import.meta.main) {
  const release = process.argv.includes('--release')
  const path = await buildWeb({ ifStale: process.argv.includes('--if-stale'), release })
  if (release) await writePlayground(path)
}
