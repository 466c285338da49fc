/**
 * Runs the command-line goldens: `bun test/golden/run.ts [--update] [NAME…]`, against the program that SVC_BINARY names
 * or the sources. A case is a folder: `cmd` (run by bash with pipefail in a copy of the folder), the expected `stdout`, `stderr` and
 * `exit` (absent: empty, empty, 0), and whatever files the commands read. Volatile parts stand as placeholders:
 * {{dir}}, {{home}}, {{version}}, {{uuid}}, {{time}}; a `replace` file adds more, one `REGEXP => TEXT` a line.
 */
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import manifest from '../../package.json'

const cases = import.meta.dir
const root = join(cases, '..', '..')

/** What came out of a case, placeholders in place. */
export interface Outcome {
  readonly stdout: string
  readonly stderr: string
  readonly exit: number
}

/** The names of all cases, in order. */
export const listCases = (): string[] =>
  readdirSync(cases, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(cases, entry.name, 'cmd')))
    .map((entry) => entry.name)
    .sort()

const read = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const programOf = (binary: string | undefined): string =>
  binary === undefined || binary === ''
    ? // From source, Bun itself must not look at the current folder, as the compiled program does not.
      `${quote(process.execPath)} ${quote(`--config=${join(root, 'bunfig.toml')}`)} --no-env-file ${quote(join(root, 'cli', 'main.ts'))}`
    : quote(resolve(root, binary))

const replacements = (folder: string): [RegExp, string][] =>
  read(join(folder, 'replace'))
    .split('\n')
    .filter((line) => line.includes(' => '))
    .map((line) => {
      const at = line.lastIndexOf(' => ')
      return [new RegExp(line.slice(0, at), 'g'), line.slice(at + 4)]
    })

const settle = (text: string, paths: readonly (readonly [string, string])[], own: [RegExp, string][]): string => {
  let out = text
  for (const [path, name] of paths) out = out.replaceAll(path, name)
  for (const [pattern, name] of own) out = out.replaceAll(pattern, name)
  return out
    // An import tells its progress where it takes longer than a poll: on a busy machine any does.
    .replaceAll(/^\{"event":"import\.progress".*\n/gm, '')
    .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/g, '{{uuid}}')
    .replaceAll(/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:(\.\d+)?Z|(?="))/g, '{{time}}')
    .replaceAll(/\b20\d\d-\d\d-\d\d \d\d:\d\d\b/g, '{{time}}')
    .replaceAll(new RegExp(`\\b${manifest.version.replaceAll('.', '\\.')}\\b`, 'g'), '{{version}}')
}

/** Runs one case in an empty home. Nothing of the surrounding environment reaches it but PATH. */
export const runCase = async (name: string, binary = process.env.SVC_BINARY): Promise<Outcome> => {
  const folder = join(cases, name)
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'svc-golden-')))
  const paths = { dir: join(top, 'dir'), home: join(top, 'home'), bin: join(top, 'bin') }
  try {
    cpSync(folder, paths.dir, { recursive: true })
    for (const made of ['cmd', 'stdout', 'stderr', 'exit', 'replace']) rmSync(join(paths.dir, made), { force: true })
    mkdirSync(paths.home)
    mkdirSync(paths.bin)
    writeFileSync(join(paths.bin, 'svc'), `#!/bin/sh\nexec ${programOf(binary)} "$@"\n`)
    chmodSync(join(paths.bin, 'svc'), 0o755)
    // With pipefail the exit code of a pipe is that of svc, not that of the filter after it.
    const child = Bun.spawn(['bash', '-o', 'pipefail', '-c', readFileSync(join(folder, 'cmd'), 'utf8')], {
      cwd: paths.dir,
      env: {
        PATH: `${paths.bin}:${process.env.PATH ?? ''}`,
        HOME: paths.home,
        LANG: 'C.UTF-8',
        TZ: 'UTC',
        // The commands of one case see a workspace of their own.
        SVC_WORKSPACE: join(paths.home, 'workspace'),
      },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      timeout: 300_000,
    })
    const [stdout, stderr, exit] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    const known = [
      [paths.dir, '{{dir}}'],
      [paths.home, '{{home}}'],
    ] as const
    // What came out so far is not what the commands say.
    if (child.signalCode !== null) throw new Error(`The commands of ${name} were ended by ${child.signalCode}`)
    const own = replacements(folder)
    return { stdout: settle(stdout, known, own), stderr: settle(stderr, known, own), exit }
  } finally {
    rmSync(top, { recursive: true, force: true })
  }
}

/** What the files of a case say should come out. */
export const expectedOf = (name: string): Outcome => ({
  stdout: read(join(cases, name, 'stdout')),
  stderr: read(join(cases, name, 'stderr')),
  exit: Number(read(join(cases, name, 'exit')) || 0),
})

const update = (name: string, outcome: Outcome): void => {
  for (const [file, text] of Object.entries({ ...outcome, exit: outcome.exit === 0 ? '' : `${outcome.exit}\n` })) {
    const path = join(cases, name, file)
    if (text === '') rmSync(path, { force: true })
    else writeFileSync(path, text)
  }
}

const difference = (expected: string, actual: string): string => {
  const before = expected.split('\n')
  const after = actual.split('\n')
  const at = after.findIndex((line, index) => line !== before[index])
  const line = at < 0 ? after.length : at
  const around = (lines: readonly string[], sign: string): string[] =>
    lines.slice(line, line + 6).map((it) => `    ${sign} ${it}`)
  return [`    line ${line + 1}:`, ...around(before, '-'), ...around(after, '+')].join('\n')
}

const main = async (): Promise<void> => {
  const words = process.argv.slice(2)
  const chosen = words.filter((word) => !word.startsWith('-'))
  const names = listCases().filter((name) => chosen.length === 0 || chosen.includes(name))
  const unknown = chosen.filter((name) => !names.includes(name))
  if (unknown.length > 0) console.log(`There is no case ${unknown.join(', ')}`)
  let failed = unknown.length
  for (const name of names) {
    const outcome = await runCase(name)
    if (words.includes('--update')) {
      update(name, outcome)
      continue
    }
    const expected = expectedOf(name)
    const wrong = (['exit', 'stdout', 'stderr'] as const).filter((part) => outcome[part] !== expected[part])
    if (wrong.length === 0) continue
    failed += 1
    console.log(`failed: ${name}`)
    for (const part of wrong) console.log(`  ${part}\n${difference(String(expected[part]), String(outcome[part]))}`)
  }
  console.log(`${names.length + unknown.length - failed} passed, ${failed} failed`)
  process.exit(failed > 0 ? 1 : 0)
}

if (import.meta.main) await main()
