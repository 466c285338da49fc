/**
 * Records what Spectral finds with the rulesets and documents of test/src/lint/agreement, so that tests need no Spectral:
 * `node scripts/bun.mjs run scripts/lint-agreement.ts FOLDER`. FOLDER is where `npm install @stoplight/spectral-cli` was run; nothing of
 * it belongs to this project. Where both find the same, it keeps a count and a digest; elsewhere it keeps the lines that differ.
 */
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import {
  agreementRoot,
  compared,
  digestOfLines,
  ourLines,
  type Recorded,
  rulesets,
} from '../test/src/lint/agreement/pairs.ts'

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

async function linesOf(cli: string, folder: string, ruleset: string, documents: readonly string[]) {
  const files = documents.map((it) => `documents/${it}`)
  const all = await run(cli, folder, ruleset, files)
  const found = new Map<string, string[] | null>()
  for (const [index, document] of documents.entries()) {
    const file = files[index] ?? ''
    const own =
      all === null
        ? await run(cli, folder, ruleset, [file])
        : all.filter(({ source = '' }) => relative(folder, source) === file || source.endsWith(`/${file}`))
    found.set(document, own === null ? null : own.map(lineOf).toSorted())
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

async function record(peer: string): Promise<void> {
  const cli = join(peer, 'node_modules/@stoplight/spectral-cli/dist/index.js')
  const { version } = JSON.parse(await readFile(join(cli, '../../package.json'), 'utf8')) as { version: string }
  const documents = (await readdir(join(agreementRoot, 'documents'))).toSorted()
  const folder = await mkdtemp(join(tmpdir(), 'agreement-'))
  await symlink(join(agreementRoot, 'documents'), join(folder, 'documents'))
  const results: Record<string, Record<string, Recorded>> = {}
  for (const [name, ruleset] of Object.entries(rulesets)) {
    await writeFile(join(folder, `${name}.json`), JSON.stringify(ruleset))
    const found = await linesOf(cli, folder, `${name}.json`, documents)
    const own: Record<string, Recorded> = {}
    for (const [document, theirs] of found) {
      const ours = await ourLines(name, document)
      if (theirs === null) own[document] = 'Spectral fails'
      else if (digestOfLines(theirs) === digestOfLines(ours))
        own[document] = `${theirs.length} ${digestOfLines(theirs)}`
      else own[document] = { spectral: without(theirs, ours), svc: without(ours, theirs), same: theirs.length }
    }
    results[name] = own
    console.log(name, JSON.stringify(own).slice(0, 2000))
  }
  await rm(folder, { recursive: true })
  await writeFile(join(agreementRoot, 'recorded.json'), `${JSON.stringify({ spectral: version, results }, null, 1)}\n`)
}

await record(process.argv[2] ?? '.')
