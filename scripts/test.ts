/**
 * Runs the tests: `npm test [-- PATTERN…]`. One Postgres serves all test files; files run side by side. The last line
 * is the honest total, and files that did not even load count as failed. Where only tests in the browser failed, their
 * files run once more, alone, and the output names them.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../test/fixtures/postgres.ts'
import { failedFiles, filesToRepeat } from './test-report.ts'

const root = join(import.meta.dir, '..')
const given = process.env.TEST_DATABASE_URL
const server = given === undefined || given === '' ? await startPostgres() : null
const folder = await mkdtemp(join(tmpdir(), 'svc-tests-'))

/** Runs the tests of the patterns (all where there are none), `workers` files at once. */
const run = async (workers: number, patterns: readonly string[]) => {
  const report = join(folder, 'report.xml')
  await rm(report, { force: true })
  const child = Bun.spawn(
    [
      process.execPath,
      'test',
      `--parallel=${workers}`,
      '--only-failures',
      '--timeout=30000',
      '--reporter=junit',
      `--reporter-outfile=${report}`,
      ...patterns,
    ],
    {
      cwd: root,
      env: { ...process.env, TEST_DATABASE_URL: server?.url ?? given ?? '', NODE_ENV: 'test' },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    },
  )
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
  // The summary is last: " 12 pass", " 1 fail", " 1 error".
  const count = (word: string): number => {
    const found = [...text.matchAll(new RegExp(`^ (\\d+) ${word}s?$`, 'gm'))].at(-1)
    return found ? Number(found[1]) : 0
  }
  const passed = count('pass')
  const counted = count('fail') + count('error') + count('skip') + count('todo')
  // A run that ended badly without naming a failure has failed nevertheless.
  const failed = counted === 0 && (exit !== 0 || passed === 0) ? 1 : counted
  return { passed, failed, files: failedFiles(await readFile(report, 'utf8').catch(() => '')) }
}

const workers = Math.max(1, Math.min(8, availableParallelism()))
let { passed, failed, files } = await run(workers, process.argv.slice(2))
const again = filesToRepeat(files)
// Only where the report explains each failure: a file that did not load is not in it.
if (again.length > 0 && files.reduce((sum, file) => sum + file.failures, 0) === failed) {
  console.log(`\nRunning again, alone: ${again.join(', ')}`)
  const second = await run(1, again)
  const repaired = Math.max(0, failed - second.failed)
  console.log(`${repaired} of ${failed} failed tests passed when their file ran alone: ${again.join(', ')}`)
  passed += repaired
  failed = second.failed
}
await server?.stop()
await rm(folder, { recursive: true, force: true })
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)
