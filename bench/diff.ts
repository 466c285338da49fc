/** Comparisons of revisions by the executable in a cold process, against `@redocly/cli diff` and, where Go brought it, oasdiff. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { binary, cacheFolder, median, root, type Row } from './measure.ts'

const runs = 3
const limitMs = 120_000

interface Measured {
  readonly ms: number
  readonly mb: number
}

/** The median time and the largest resident memory; null where the tool does not end well within the limit. */
function measure(command: readonly string[]): Measured | null {
  const times: number[] = []
  let peak = 0
  for (let run = 0; run < runs; run++) {
    const begun = performance.now()
    const result = Bun.spawnSync([...command], { stdout: 'ignore', stderr: 'ignore', timeout: limitMs })
    if (result.exitCode === null || result.exitCode > 1) return null
    times.push(performance.now() - begun)
    peak = Math.max(peak, result.resourceUsage.maxRSS / 1024 / 1024)
  }
  return { ms: median(times), mb: peak }
}

/** A large real pair: GitHub's description at two versions of an npm package, kept in the cache. */
function largePair(): readonly [string, string] {
  const [base, head] = ['16.0.0', '23.0.2'].map((version) => {
    const folder = join(cacheFolder, 'pair', version)
    const file = join(folder, 'package', 'generated', 'api.github.com.json')
    if (!existsSync(file)) {
      mkdirSync(folder, { recursive: true })
      const packed = Bun.spawnSync(['npm', 'pack', `@octokit/openapi@${version}`, '--silent'], { cwd: folder })
      if (packed.exitCode !== 0) throw new Error(`npm pack failed: ${packed.stderr.toString()}`)
      const archive = packed.stdout.toString().trim()
      Bun.spawnSync(['tar', 'xzf', archive, 'package/generated/api.github.com.json'], { cwd: folder })
    }
    return file
  })
  return [base!, head!]
}

/** A pair of about 20 kB: an example, and the same with every tenth line of schemas touched. */
async function smallPair(): Promise<readonly [string, string]> {
  const folder = join(cacheFolder, 'pair')
  mkdirSync(folder, { recursive: true })
  const text = await Bun.file(join(root, 'node_modules/@readme/oas-examples/3.0/json/petstore.json')).text()
  const files = [join(folder, 'small-base.json'), join(folder, 'small-head.json')] as const
  writeFileSync(files[0], text)
  writeFileSync(files[1], text.replaceAll('"format": "int64"', '"format": "int32"'))
  return files
}

/** The other tools that are at hand, each with its command line. */
function others(): Readonly<Record<string, (base: string, head: string) => readonly string[]>> {
  const found: Record<string, (base: string, head: string) => readonly string[]> = {}
  const folder = join(cacheFolder, 'redocly')
  const redocly = join(folder, 'node_modules', '.bin', 'redocly')
  if (!existsSync(redocly)) {
    mkdirSync(folder, { recursive: true })
    Bun.spawnSync([
      'npm',
      'install',
      '@redocly/cli',
      '--no-save',
      '--silent',
      '--no-audit',
      '--no-fund',
      '--prefix',
      folder,
    ])
  }
  if (existsSync(redocly)) found['@redocly/cli diff'] = (base, head) => [redocly, 'diff', base, head]
  const oasdiff =
    Bun.which('oasdiff') ?? join(process.env.GOPATH ?? join(process.env.HOME ?? '', 'go'), 'bin', 'oasdiff')
  // It can take all memory of the machine: 6 GB have to do.
  if (existsSync(oasdiff))
    found.oasdiff = (base, head) => [
      'sh',
      '-c',
      `ulimit -v 6000000; exec "$0" changelog "$1" "$2"`,
      oasdiff,
      base,
      head,
    ]
  return found
}

/** Time and memory of comparisons, against whatever tool is at hand. */
export async function diffs(): Promise<readonly Row[]> {
  const rows: Row[] = []
  const tools = others()
  const pairs = [
    ['11 → 13 MB, GitHub', largePair(), '≤ 3 s', '≤ 500 MB'],
    ['20 kB', await smallPair(), '≤ 60 ms', '≤ 100 MB'],
  ] as const
  for (const [name, [base, head], time, memory] of pairs) {
    const ours = measure([binary, 'diff', base, head, '--json'])
    if (!ours) throw new Error(`svc diff failed on ${name}`)
    for (const [referenceName, command] of Object.entries(tools)) {
      const reference = measure(command(base, head))
      if (!reference) continue
      rows.push({
        name: `comparison of ${name}`,
        ours: ours.ms,
        reference: reference.ms,
        referenceName,
        unit: 'ms',
        goal: `${time} and ≤ 0.7×`,
      })
      rows.push({
        name: `memory of it`,
        ours: ours.mb,
        reference: reference.mb,
        referenceName,
        unit: 'MB',
        goal: memory,
      })
    }
  }
  return rows
}
