/**
 * Runs hostile pairs or documents under limits of time and memory and lists those that exceed them:
 * `bun scripts/hostile.ts (FOLDER | --generated SIZE) [--command diff|lint|import|render] [--seconds 5] [--memory 500]
 * [--only TEXT] [--program PATH]`. A case is a folder with `base.*` and `head.*`, or for the other commands also a single
 * file; `--generated` makes the shapes of the tests at that size. Seconds are of the processor. Exit code 1 where one exceeds a limit or the
 * program fails.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { shapes } from '../test/src/diff/hostile.ts'

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    command: { type: 'string', default: 'diff' },
    seconds: { type: 'string', default: '5' },
    memory: { type: 'string', default: '500' },
    only: { type: 'string', default: '' },
    generated: { type: 'string' },
    make: { type: 'string' },
    program: { type: 'string' },
  },
})
const [folder] = positionals
const filesOf = (path: string): readonly string[] => ['base.json', 'head.json'].map((name) => join(path, name))
if (values.make !== undefined) {
  for (const [i, document] of shapes[values.make]!(Number(values.generated)).entries())
    writeFileSync(filesOf(folder!)[i]!, JSON.stringify(document))
  process.exit(0)
}
if ((folder === undefined) === (values.generated === undefined))
  throw new Error(
    'usage: bun scripts/hostile.ts (FOLDER | --generated SIZE) [--command NAME] [--seconds N] [--memory MB]',
  )
const program =
  values.program === undefined
    ? [process.execPath, 'run', join(import.meta.dir, '..', 'cli', 'main.ts')]
    : [values.program]
const limitMs = Number(values.seconds) * 1000
const limitMb = Number(values.memory)

interface Case {
  readonly name: string
  readonly files: readonly string[]
}

/** The cases of a folder in the order of their names. */
function casesOf(root: string): readonly Case[] {
  return readdirSync(root)
    .toSorted()
    .filter((name) => name.includes(values.only))
    .flatMap((name): Case[] => {
      const path = join(root, name)
      if (!statSync(path).isDirectory()) return values.command === 'diff' ? [] : [{ name, files: [path] }]
      const files = readdirSync(path).toSorted()
      const find = (word: string) => files.filter((it) => it.startsWith(`${word}.`)).map((it) => join(path, it))
      return [{ name, files: [...find('base').slice(0, 1), ...find('head').slice(0, 1)] }]
    })
}

const home = mkdtempSync(join(tmpdir(), 'hostile-'))

/**
 * The shapes of the tests as files, each made when its turn comes and by a process of its own: the memory of a process
 * counts as that of those it starts.
 */
function* generated(size: string): Generator<Case> {
  const path = join(home, 'pair')
  mkdirSync(path)
  for (const name of Object.keys(shapes)) {
    if (!name.includes(values.only)) continue
    const made = Bun.spawnSync([process.execPath, 'run', import.meta.path, '--generated', size, '--make', name, path])
    if (made.exitCode !== 0) throw new Error(`${name} could not be made: ${made.stderr.toString()}`)
    yield { name, files: filesOf(path) }
  }
}

/** The arguments of one run. */
function argumentsOf(command: string, files: readonly string[]): readonly string[] {
  const head = files.at(-1)!
  if (command === 'diff') return ['diff', files[0]!, head, '--json']
  if (command === 'lint') return ['lint', head, '--json']
  if (command === 'import') return ['import', head, '--home', home, '--json']
  return [command, head]
}

let bad = 0
for (const { name, files } of folder === undefined ? generated(values.generated!) : casesOf(folder)) {
  // Four times the limit tells slow ones, on a busy machine too, from those without end.
  const run = Bun.spawnSync([...program, ...argumentsOf(values.command, files)], {
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: limitMs * 4,
    killSignal: 'SIGKILL',
  })
  const ms = Number(run.resourceUsage.cpuTime.total) / 1000
  const mb = run.resourceUsage.maxRSS / 1024 / 1024
  const output = run.stdout.toString()
  const verdict = /"verdict":\s*"(\w+)"/.exec(output)?.[1] ?? `exit ${run.exitCode ?? 'killed'}`
  // Every run ends with an answer in its envelope, also one that refuses the document.
  const wrong =
    ms > limitMs || mb > limitMb || run.exitCode === null || output === '' || /"code":\s*"internal"/.test(output)
  if (wrong) bad++
  console.log(
    `${wrong ? '!' : ' '} ${name.padEnd(24)} ${(ms / 1000).toFixed(2).padStart(7)} s ${mb.toFixed(0).padStart(5)} MB  ${verdict}`,
  )
}
rmSync(home, { recursive: true, force: true })
console.log(bad === 0 ? 'All within the limits.' : `${bad} exceed a limit or fail.`)
process.exit(bad === 0 ? 0 : 1)
