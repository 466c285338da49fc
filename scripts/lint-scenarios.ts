/**
 * Runs `svc lint` on recorded runs of Spectral's command: `bun scripts/lint-scenarios.ts FOLDER`. The folder holds
 * `*.scenario.txt`: parts headed `====name====` with a document, other files, a command and what it printed. Compared are
 * line, column, severity, code and message of every finding, and whether the command failed because of them.
 */
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

interface Told {
  readonly code: string
  readonly severity: number
  readonly message: string
  readonly range: { readonly start: { readonly line: number; readonly character: number } }
}

const names = ['error', 'warning', 'information', 'hint']
const main = join(import.meta.dir, '..', 'cli', 'main.ts')

function partsOf(text: string): ReadonlyMap<string, string> {
  const pieces = text.split(/^====([^=\n]+)====\n/m)
  return new Map(pieces.flatMap((name, index) => (index % 2 === 1 ? [[name, pieces[index + 1] ?? ''] as const] : [])))
}

const line = ({ code, severity, message, range: { start } }: Told): string =>
  `${start.line + 1}:${start.character + 1} ${names[severity]} ${code} ${message}`

/** The findings of Spectral's own JSON, or of its tables; null where something else was printed. */
function readFindings(output: string): readonly string[] | null {
  if (output.startsWith('[')) return (JSON.parse(output) as Told[]).map(line)
  const rows = output.split('\n').flatMap((row) => {
    const [, place, severity, code, rest = ''] = /^\s*(\d+:\d+)\s+(\w+)\s+(\S+)\s+(.*)$/.exec(row) ?? []
    return place === undefined ? [] : [`${place} ${severity} ${code} ${rest.split(/ {2,}/)[0]?.trim()}`]
  })
  return rows.length > 0 || output.startsWith('No results') ? rows : null
}

/** What is in the way of asking `svc` the same; null where there is nothing. */
function unlike(command: string, want: readonly string[] | null): string | null {
  if (want === null) return 'what it prints is no list of findings'
  return /^\S+ lint|\| \S+ lint/.test(command) ? null : 'it lints nothing'
}

function runScenario(parts: ReadonlyMap<string, string>, folder: string): string {
  const command = (parts.get('command') ?? parts.get('command-nix') ?? '').trim()
  const want = readFindings((parts.get('stdout') ?? '').trim())
  const reason = unlike(command, want)
  if (reason !== null || want === null) return `left out: ${reason}`
  const assets = [...parts].flatMap(([name, text]) =>
    name.startsWith('asset:') ? [[name.slice(6), text] as const] : [],
  )
  const document = parts.get('document')
  const files = [...assets, ...(document === undefined ? [] : [['document', document] as const])]
  for (const [name, text] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const [ruleset = ''] = assets.map(([name]) => name)
  const others = assets.map(([name]) => name).filter((name) => name !== ruleset && !name.startsWith('output'))
  const failOn = /--fail-severity[= ](\w+)/.exec(command)?.[1] ?? 'error'
  const run = Bun.spawnSync({
    cmd: [process.execPath, main, 'lint', ...(document === undefined ? others : ['document'])].concat([
      '--guide',
      ruleset,
      '--format',
      'spectral-json',
      '--fail-on',
      failOn === 'warn' ? 'warning' : failOn,
    ]),
    cwd: folder,
  })
  const found = JSON.parse(run.stdout.toString() || '[]') as Told[]
  const isErrorsOnly = / -D\b/.test(command) || (parts.get('stdout') ?? '').startsWith('No results')
  const least = isErrorsOnly ? ['error', 'warn'].indexOf(failOn) : names.length
  const got = found.filter((it) => it.severity <= least).map(line)
  const failed = want.some((it) => names.indexOf(it.split(' ')[1] ?? '') <= ['error', 'warn'].indexOf(failOn))
  const differs = [
    ...want.filter((it) => !got.includes(it)).map((it) => `  Spectral ${it}`),
    ...got.filter((it) => !want.includes(it)).map((it) => `  svc      ${it}`),
    ...((run.exitCode !== 0) === failed ? [] : [`  svc ended with ${run.exitCode}: ${run.stderr.toString()}`]),
  ]
  return differs.length === 0 ? `equal (${want.length})` : `differs\n${differs.join('\n')}`
}

const [folder = '.'] = process.argv.slice(2)
for (const name of [...new Bun.Glob('**/*.scenario.txt').scanSync(folder)].sort()) {
  const place = mkdtempSync(join(tmpdir(), 'svc-scenario-'))
  try {
    console.log(`${name}: ${runScenario(partsOf(readFileSync(join(folder, name), 'utf8')), place)}`)
  } finally {
    rmSync(place, { recursive: true })
  }
}
