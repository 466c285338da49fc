/**
 * Runs the tests: `npm test [-- PATTERN…]`. One Postgres serves all test files; files run side by side. The last line
 * is the honest total, and files that did not even load count as failed.
 */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../test/fixtures/postgres.ts'

const root = join(import.meta.dir, '..')
const given = process.env.TEST_DATABASE_URL
const server = given === undefined || given === '' ? await startPostgres() : null
const workers = Math.max(1, Math.min(8, availableParallelism()))

const child = Bun.spawn(
  [process.execPath, 'test', `--parallel=${workers}`, '--only-failures', '--timeout=30000', ...process.argv.slice(2)],
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
await server?.stop()

// The summary is last: " 12 pass", " 1 fail", " 1 error".
const count = (word: string): number => {
  const found = [...text.matchAll(new RegExp(`^ (\\d+) ${word}s?$`, 'gm'))].at(-1)
  return found ? Number(found[1]) : 0
}
const passed = count('pass')
const failed = count('fail') + count('error') + count('skip') + count('todo')
// A run that ended badly without naming a failure has failed nevertheless.
const total = failed === 0 && (exit !== 0 || passed === 0) ? 1 : failed
console.log(`${passed} passed, ${total} failed`)
process.exit(total > 0 ? 1 : 0)
