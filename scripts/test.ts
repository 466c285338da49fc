/**
 * Runs the tests: `npm test [-- PATTERN…]`; `test-options.ts` has the options. One Postgres serves all test files; files run side by side, in an
 * environment of their own (`test-environment.ts`). The last line is the honest total, and files that did not even load
 * count as failed; tests of a tool that the machine does not have are named. Where tests of at most three files failed, these files run once more, alone, and the output names them.
 */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../test/fixtures/postgres.ts'
import { makeTestEnvironment } from './test-environment.ts'
import { readTestOptions, variablesOf } from './test-options.ts'
import { failedFiles, failedTests, filesToRepeat, skippedTests, slowestOf } from './test-report.ts'

const root = join(import.meta.dir, '..')
const timings = join(root, 'test/timings.json')
const options = readTestOptions(process.argv.slice(2))
const { variables, remove } = makeTestEnvironment(process.env)
process.on('exit', remove)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1))
// For Postgres, which this process starts.
process.env.TMPDIR = variables.TMPDIR

const given = process.env.TEST_DATABASE_URL
const server = given === undefined || given === '' ? await startPostgres() : null

/** Runs the tests that some words of `bun test` choose, `workers` files at once. */
const run = async (workers: number, chosen: readonly string[]) => {
  const report = join(tmpdir(), 'report.xml')
  await rm(report, { force: true })
  const child = Bun.spawn(
    [
      process.execPath,
      'test',
      `--parallel=${workers}`,
      // A worker loads the modules of the service once, not once for each file: a fifth of the time of the processor.
      '--no-isolate',
      // The slowest files begin first, so that none of them is left alone at the end.
      `--timings=${timings}`,
      ...(options.isTimed ? ['--update-timings'] : []),
      '--only-failures',
      '--timeout=60000',
      '--max-concurrency=3',
      '--reporter=junit',
      `--reporter-outfile=${report}`,
      ...options.without.map((folder) => `--path-ignore-patterns=${folder}/**`),
      ...chosen,
    ],
    {
      cwd: root,
      env: { ...variables, ...variablesOf(options), TEST_DATABASE_URL: server?.url ?? given ?? '', NODE_ENV: 'test' },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    },
  )
  // Where this process is ended, the tests end too.
  const stop = (): void => child.kill()
  process.on('exit', stop)
  let text = ''
  const pass = async (from: ReadableStream<Uint8Array>, to: NodeJS.WriteStream): Promise<void> => {
    const decoder = new TextDecoder()
    for await (const chunk of from as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true })
      to.write(chunk)
    }
  }
  await Promise.all([pass(child.stdout, process.stdout), pass(child.stderr, process.stderr)])
  const exit = await child.exited
  process.off('exit', stop)
  // The summary is last: " 12 pass", " 1 fail", " 1 error".
  const count = (word: string): number => {
    const found = [...text.matchAll(new RegExp(`^ (\\d+) ${word}s?$`, 'gm'))].at(-1)
    return found ? Number(found[1]) : 0
  }
  const passed = count('pass')
  const fails = count('fail')
  const counted = fails + count('error') + count('todo')
  // A run that ended badly without naming a failure has failed nevertheless.
  const failed = counted === 0 && (exit !== 0 || passed === 0) ? 1 : counted
  const results = await readFile(report, 'utf8').catch(() => '')
  return {
    passed,
    failed,
    fails,
    files: failedFiles(results),
    names: failedTests(results),
    skipped: skippedTests(results),
  }
}

/** Leaves the slow files in the list of times: the order of all others does not matter. */
async function keepSlowest(path: string): Promise<void> {
  await writeFile(path, slowestOf(await readFile(path, 'utf8')))
}

// Many tests wait: for processes, for a browser, for a clock. With two for each core a third of the time of the cores is not used.
const workers = Math.min(8, 3 * availableParallelism())
const { patterns, since } = options
let { passed, failed, fails, files, names, skipped } = await run(
  workers,
  since === null ? patterns : [`--changed=${since}`, ...patterns],
)
const again = filesToRepeat(files)
// Only where the report explains each failure: a file that did not load is a failure that is not in it. An error between tests is not
// in it either, and is what a test that was given up leaves behind; what the files do alone then counts.
if (again.length > 0 && files.reduce((sum, file) => sum + file.failures, 0) === fails) {
  console.log(`\nRunning again, alone: ${again.join(', ')}`)
  const second = await run(1, again)
  const repaired = Math.max(0, failed - second.failed)
  console.log(`\n${repaired} of ${failed} failed tests passed when their file ran alone:\n${names.join('\n')}`)
  passed += repaired
  failed = second.failed
  names = second.names
}
if (options.isTimed) await keepSlowest(timings)
await server?.stop()
if (skipped.length > 0) console.log(`\nSkipped, since this machine lacks what they need:\n${skipped.join('\n')}`)
// Last, where a reader of a long log looks first.
if (failed > 0) console.log(`\nFailed:\n${names.join('\n')}`)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)
