import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompressSync, brotliDecompress } from 'node:zlib'
import { buildWeb, digestSources } from '../../web/build.ts'
import { plainBytes, readPackIndex, type Unpacked, writePack } from '../../web/pack.ts'

const entry = { script: 'assets/a.js', styles: [] }
const file = (path: string, text: string, isSmaller: boolean): Unpacked => {
  const plain = new TextEncoder().encode(text)
  const brotli = isSmaller ? new Uint8Array(brotliCompressSync(plain)) : null
  return { path, type: 'text/plain', hash: path, immutable: true, plain, brotli }
}

test('what is packed is found again, whatever the order it came in, and stored in one form', async () => {
  const long = 'größe '.repeat(1000)
  const files = [file('b', long, true), file('a', '', false), file('c', 'ccc', false)]
  const pack = writePack(files, { documentation: entry, portal: entry, app: entry }, 'digest')
  expect(writePack(files.toReversed(), { documentation: entry, portal: entry, app: entry }, 'digest')).toEqual(pack)
  expect(pack.length).toBeLessThan(1000)
  const { index, start } = await readPackIndex(new Blob([pack]))
  expect(index.sources).toBe('digest')
  const bytes = new Blob([pack.slice(start)])
  const read = Object.entries(index.files).map(
    async ([path, it]) =>
      [
        path,
        new TextDecoder().decode(await plainBytes(it, bytes, promisify(brotliDecompress))),
        it.plain === null,
      ] as const,
  )
  expect(await Promise.all(read)).toEqual([
    ['a', '', false],
    ['b', long, true],
    ['c', 'ccc', false],
  ])
})

test('two builds of the same sources are the same bytes', async () => {
  const first = await Bun.file(await buildWeb()).bytes()
  const second = await Bun.file(await buildWeb()).bytes()
  expect(Bun.hash(second)).toBe(Bun.hash(first))
  const { index } = await readPackIndex(new Blob([first]))
  expect(index.sources).toBe(await digestSources(false))
}, 180_000)

test('a compiled program carries the pack and serves from it anywhere', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-web-'))
  try {
    const pack = await buildWeb({ ifStale: true })
    const main = join(folder, 'main.ts')
    const serve = join(import.meta.dir, '../../server/web/serve.ts')
    await Bun.write(
      main,
      `const { openWeb } = await import(${JSON.stringify(serve)})
       const web = await openWeb()
       const answer = web.serve(new Request('http://svc.test/app/' + web.entries.app.script))
       console.log(answer.status, (await answer.text()).length > 1000)`,
    )
    const outfile = join(folder, 'program')
    const built = await Bun.build({
      entrypoints: [main, pack],
      compile: { outfile, autoloadBunfig: false, autoloadDotenv: false },
      minify: true,
      format: 'esm',
      splitting: true,
    })
    expect(built.success).toBe(true)
    const run = Bun.spawnSync([outfile], { cwd: folder })
    expect(run.stdout.toString()).toBe('200 true\n')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}, 60_000)
