import { count, eq, ne } from 'drizzle-orm'
import { openDatabase } from '../db/open.ts'
import { jobs, versions } from '../db/tables.gen.ts'
import { onFreshDatabase } from '../test/fixtures/postgres-database.ts'
import { binary, freshFolder, type Measurement, startServer } from './measure.ts'

const imports = 500
const longestMs = 180_000
const password = 'correct horse battery staple'

const document = (n: number): string => `openapi: 3.1.0
info: { title: Queued ${n}, version: 1.0.0 }
paths:
  /things: { get: { operationId: listThings, responses: { '200': { description: ok } } } }
`

/** Makes a person on a server of this machine and signs them in; gives the token. */
export async function signIn(env: Record<string, string>, url: string): Promise<string> {
  const email = 'bench@example.test'
  Bun.spawnSync([binary, 'user', 'create', email], { env: { ...process.env, ...env, SVC_USER_PASSWORD: password } })
  const answer = await fetch(`${url}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

/** Sends all imports at once, half of them to each server, and waits until the last has ended. */
async function runAll(urls: readonly string[], token: string, target: string) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const begun = performance.now()
  const answers = await Promise.all(
    Array.from({ length: imports }, (_, n) =>
      fetch(`${urls[n % urls.length]}/v1/tenants/local/imports`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ source: { kind: 'inline', name: 'a.yaml', content: document(n) } }),
      }),
    ),
  )
  if (answers.some(({ status }) => status !== 202)) throw new Error('an import was not accepted')
  const accepted = performance.now() - begun
  const db = await openDatabase({ kind: 'postgres', url: target })
  try {
    for (;;) {
      const [left] = await db.read.select({ n: count() }).from(jobs).where(ne(jobs.status, 'completed'))
      if (left?.n === 0) break
      if (performance.now() - begun > longestMs) throw new Error(`${left?.n} imports did not complete`)
      await Bun.sleep(50)
    }
    const all = performance.now() - begun
    const [made] = await db.read.select({ n: count() }).from(versions)
    const [twice] = await db.read.select({ n: count() }).from(jobs).where(ne(jobs.attempts, 1))
    const [once] = await db.read.select({ n: count() }).from(jobs).where(eq(jobs.attempts, 1))
    if (made?.n !== imports || twice?.n !== 0 || once?.n !== imports)
      throw new Error(`${made?.n} versions, ${twice?.n} jobs more than once`)
    return { accepted, all }
  } finally {
    await db.close()
  }
}

/** Five hundred imports handed to two servers on one Postgres: all complete, none twice. */
export const queue = (): Promise<readonly Measurement[]> =>
  onFreshDatabase(async (target) => {
    const env = { SVC_DATABASE_URL: target, SVC_WORKSPACE: freshFolder('queue'), SVC_MCP_HTTP_PORT: '0' }
    const serve = () => startServer([binary, 'serve', '--port', '0', '--log-level', 'silent'], env)
    const first = await serve()
    const second = await serve()
    try {
      const token = await signIn(env, first.url)
      const { accepted, all } = await runAll([first.url, second.url], token, target)
      return [
        {
          name: `${imports} imports at once, two servers, Postgres: all complete, none twice`,
          ours: all,
          reference: accepted,
          referenceName: 'until all were accepted',
          unit: 'ms',
          goal: 'all, once',
        },
      ]
    } finally {
      await Promise.all([first.stop(), second.stop()])
    }
  })
