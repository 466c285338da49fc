/**
 * The one gate: every step runs even where one before it failed. `npm run check`; `--only=NAME,NAME` runs some of them.
 * The last line sums the steps and the tests.
 */
import { join } from 'node:path'

interface Step {
  readonly name: string
  readonly command: readonly string[]
  /** Its output says at the end how many of its own parts passed and failed. */
  readonly counts?: boolean
}

const root = join(import.meta.dir, '..')
const bun = process.execPath
const tool = (path: string): string => join(root, 'node_modules', path)

const steps: readonly Step[] = [
  { name: 'generated', command: [bun, 'scripts/gen.ts', '--check'] },
  { name: 'format', command: [bun, tool('oxfmt/bin/oxfmt'), '--check', '.'] },
  { name: 'lint', command: [bun, tool('oxlint/bin/oxlint'), '--type-aware'] },
  { name: 'types', command: [bun, tool('typescript/bin/tsc'), '--noEmit'] },
  { name: 'unused', command: [bun, tool('knip/bin/knip.js'), '--no-config-hints'] },
  { name: 'tests', command: [bun, 'scripts/test.ts'], counts: true },
]

const only = process.argv
  .find((it) => it.startsWith('--only='))
  ?.slice('--only='.length)
  .split(',')
const chosen = steps.filter((step) => only?.includes(step.name) ?? true)
if (chosen.length === 0) {
  console.error(`--only takes ${steps.map((step) => step.name).join(', ')}`)
  process.exit(2)
}

let passed = 0
let failed = 0
const lines: string[] = []

for (const step of chosen) {
  const started = performance.now()
  console.log(`\n== ${step.name}`)
  const child = Bun.spawn([...step.command], { cwd: root, stdin: 'ignore', stdout: 'pipe', stderr: 'inherit' })
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of child.stdout as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true })
    process.stdout.write(chunk)
  }
  const exit = await child.exited
  const sums =
    step.counts === true ? /^(\d+) passed, (\d+) failed$/.exec(text.trimEnd().split('\n').at(-1) ?? '') : null
  passed += Number(sums?.[1] ?? 0) + (exit === 0 ? 1 : 0)
  failed += Number(sums?.[2] ?? 0) + (exit === 0 ? 0 : 1)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  lines.push(`${exit === 0 ? 'passed' : 'FAILED'}  ${step.name.padEnd(10)} ${seconds.padStart(6)} s`)
}

console.log(`\n${lines.join('\n')}\n${passed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)
