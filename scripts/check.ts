/**
 * The one gate: every step runs even where one before it failed, the tests beside the other steps. `npm run check`;
 * `--only=NAME,NAME` runs some of them, `--full` and `--binary=PATH` are for the tests. The long journeys in a browser
 * are a lane of their own (`npm test -- test/journeys`) and run here with `--full` only. The last line sums the steps
 * and the tests.
 */
import { join } from 'node:path'

interface Step {
  readonly name: string
  readonly command: readonly string[]
}

const root = join(import.meta.dir, '..')
const bun = process.execPath
const tool = (path: string): string => join(root, 'node_modules', path)

const words = process.argv.slice(2)
const lanes = words.includes('--full') ? [] : ['--without=test/journeys']
const tests: Step = {
  name: 'tests',
  command: [bun, 'scripts/test.ts', ...lanes, ...words.filter((word) => !word.startsWith('--only='))],
}
const others: readonly Step[] = [
  { name: 'generated', command: [bun, 'scripts/gen.ts', '--check'] },
  { name: 'format', command: [bun, tool('oxfmt/bin/oxfmt'), '--check', '.'] },
  { name: 'types', command: [bun, tool('typescript/bin/tsc'), '--noEmit'] },
  { name: 'lint', command: [bun, tool('oxlint/bin/oxlint'), '--type-aware'] },
  { name: 'unused', command: [bun, tool('knip/bin/knip.js'), '--no-config-hints'] },
]

const only = words
  .find((word) => word.startsWith('--only='))
  ?.slice('--only='.length)
  .split(',')
const isChosen = (step: Step): boolean => only?.includes(step.name) ?? true
if (![tests, ...others].some(isChosen)) {
  console.error(`--only takes ${[tests, ...others].map((step) => step.name).join(', ')}`)
  process.exit(2)
}

interface Outcome {
  /** What this step says in the summary: one line, and the names of failed tests below it. */
  readonly line: string
  readonly passed: number
  readonly failed: number
}

async function textOf(stream: ReadableStream<Uint8Array>, echo: NodeJS.WriteStream | null): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true })
    echo?.write(chunk)
  }
  return text
}

/** Runs a step; `isShown` shows its output as it comes, else it is shown as a whole at the end. */
async function run(step: Step, isShown: boolean): Promise<Outcome> {
  const started = performance.now()
  const child = Bun.spawn([...step.command], { cwd: root, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  if (isShown) console.log(`\n== ${step.name}`)
  const [stdout, stderr] = await Promise.all([
    textOf(child.stdout, isShown ? process.stdout : null),
    textOf(child.stderr, isShown ? process.stderr : null),
  ])
  const exit = await child.exited
  if (!isShown) console.log(`\n== ${step.name}\n${stdout}${stderr}`.trimEnd())
  // The tests say at the end how many of them passed and failed.
  const sums = step === tests ? /^(\d+) passed, (\d+) failed$/.exec(stdout.trimEnd().split('\n').at(-1) ?? '') : null
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const names =
    step === tests ? (/\nFailed:\n([\s\S]*)\n\d+ passed, \d+ failed$/.exec(stdout.trimEnd())?.[1] ?? '') : ''
  return {
    line: [
      `${exit === 0 ? 'passed' : 'FAILED'}  ${step.name.padEnd(10)} ${seconds.padStart(6)} s`,
      ...names.split('\n').filter((name) => name !== ''),
    ].join('\n        '),
    passed: Number(sums?.[1] ?? 0) + (exit === 0 ? 1 : 0),
    failed: Number(sums?.[2] ?? 0) + (exit === 0 ? 0 : 1),
  }
}

/** One after the other: each of them takes a core, and two of them much memory. */
async function runOthers(isShown: boolean): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const step of others.filter(isChosen)) outcomes.push(await run(step, isShown))
  return outcomes
}

const outcomes = isChosen(tests)
  ? (await Promise.all([runOthers(false), run(tests, true)])).flat()
  : await runOthers(true)
const sum = (of: 'passed' | 'failed'): number => outcomes.reduce((total, outcome) => total + outcome[of], 0)
console.log(`\n${outcomes.map(({ line }) => line).join('\n')}\n${sum('passed')} passed, ${sum('failed')} failed`)
process.exit(sum('failed') > 0 ? 1 : 0)
