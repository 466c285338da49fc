/**
 * Records what Spectral finds with the rulesets and documents of test/src/lint/agreement, so that tests need no Spectral:
 * `node scripts/bun.mjs run scripts/lint-agreement.ts FOLDER [written|public]`. FOLDER is where `npm install @stoplight/spectral-cli`
 * was run; nothing of it belongs to this project. `written` are rulesets of our own, `public` those of packages; without a word, both.
 * Where both find the same, it keeps a count and a digest; elsewhere it keeps the lines that differ.
 */
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  agreementRoot,
  compared,
  digestOfLines,
  ourLines,
  type Recorded,
  rulesets,
} from '../test/src/lint/agreement/pairs.ts'
import { publicDocuments, publicLines, publicRoot, publicRulesets } from '../test/src/lint/agreement/public.ts'

interface SpectralResult {
  readonly code: string
  readonly path: readonly (string | number)[]
  readonly message: string
  readonly severity: number
  readonly source?: string
  readonly range: {
    readonly start: { readonly line: number; readonly character: number }
    readonly end: { readonly line: number; readonly character: number }
  }
}

const lineOf = ({ severity, code, path, range: { start, end }, message }: SpectralResult): string =>
  compared({
    severity,
    code,
    path: path.map(String),
    range: `${start.line}:${start.character}-${end.line}:${end.character}`,
    message,
  })

/** What the command line of Spectral prints for some documents; null where it fails. */
async function run(cli: string, folder: string, ruleset: string, files: readonly string[]) {
  const command = ['node', cli, 'lint', ...files, '-r', ruleset, '-f', 'json', '-q']
  const child = Bun.spawn(command, { cwd: folder, stdout: 'pipe', stderr: 'pipe' })
  const text = await new Response(child.stdout).text()
  await child.exited
  try {
    return JSON.parse(text) as SpectralResult[]
  } catch {
    return null
  }
}

/** What Spectral finds in each document, in order; null where it fails. `documents` are paths by name. */
async function linesOf(cli: string, folder: string, ruleset: string, documents: Readonly<Record<string, string>>) {
  const all = await run(cli, folder, ruleset, Object.values(documents))
  const found = new Map<string, string[] | null>()
  for (const [name, path] of Object.entries(documents)) {
    const own =
      all === null
        ? await run(cli, folder, ruleset, [path])
        : all.filter(({ source = '' }) => resolve(folder, source) === path || source.endsWith(`/${name}`))
    found.set(name, own === null ? null : own.map(lineOf).toSorted())
  }
  return found
}

const without = (lines: readonly string[], others: readonly string[]): string[] => {
  const left = [...others]
  return lines.filter((line) => {
    const at = left.indexOf(line)
    if (at !== -1) left.splice(at, 1)
    return at === -1
  })
}

/** What is kept of one ruleset: what both found in each document. */
function recordedOf(
  theirs: ReadonlyMap<string, string[] | null>,
  ours: ReadonlyMap<string, string[]>,
): Record<string, Recorded> {
  const kept: Record<string, Recorded> = {}
  for (const [document, spectral] of theirs) {
    const svc = ours.get(document) ?? []
    if (spectral === null) kept[document] = 'Spectral fails'
    else if (digestOfLines(spectral) === digestOfLines(svc))
      kept[document] = `${spectral.length} ${digestOfLines(spectral)}`
    else kept[document] = { spectral: without(spectral, svc), svc: without(svc, spectral), same: spectral.length }
  }
  return kept
}

const write = (name: string, spectral: string, results: object): Promise<void> =>
  writeFile(join(agreementRoot, name), `${JSON.stringify({ spectral, results }, null, 1)}\n`)

async function recordWritten(cli: string, version: string): Promise<void> {
  const names = (await readdir(join(agreementRoot, 'documents'))).toSorted()
  const folder = await mkdtemp(join(tmpdir(), 'agreement-'))
  await symlink(join(agreementRoot, 'documents'), join(folder, 'documents'))
  const documents = Object.fromEntries(names.map((it) => [it, join(folder, 'documents', it)]))
  const results: Record<string, object> = {}
  for (const [name, ruleset] of Object.entries(rulesets)) {
    await writeFile(join(folder, `${name}.json`), JSON.stringify(ruleset))
    const ours = new Map<string, string[]>()
    for (const document of names) ours.set(document, await ourLines(name, document))
    results[name] = recordedOf(await linesOf(cli, folder, `${name}.json`, documents), ours)
    console.log(name, JSON.stringify(results[name]).slice(0, 2000))
  }
  await rm(folder, { recursive: true })
  await write('recorded.json', version, results)
}

async function recordPublic(cli: string, version: string): Promise<void> {
  const results: Record<string, object> = {}
  for (const name of publicRulesets) {
    results[name] = recordedOf(await linesOf(cli, publicRoot, name, publicDocuments), await publicLines(name))
    console.log(name, JSON.stringify(results[name]).slice(0, 2000))
  }
  await write('recorded-public.json', version, results)
}

const peer = resolve(process.argv[2] ?? '.')
const cli = join(peer, 'node_modules/@stoplight/spectral-cli/dist/index.js')
const { version } = JSON.parse(await readFile(join(cli, '../../package.json'), 'utf8')) as { version: string }
if (process.argv[3] !== 'public') await recordWritten(cli, version)
if (process.argv[3] !== 'written') await recordPublic(cli, version)
