/** Repositories on this machine: a first scan of 100,000 files, polls without a change, webhooks, and 1,000 repositories of one process. */
import { createHmac } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { newId } from '../db/id.ts'
import { openDatabase } from '../db/open.ts'
import { dueWork, hookEvents, repositories, repositoryBranches, repositoryPolls } from '../db/tables.gen.ts'
import { pollKind, scanKind } from '../server/repository-sync/due.ts'
import { schedule } from '../server/schedule/rows.ts'
import { openPetsProject, petsYaml, type PetsProject } from '../test/fixtures/pets-project.ts'
import { testKey } from '../test/fixtures/accounts.ts'
import { binary, freshFolder, median, startServer, type Measurement } from './measure.ts'

const files = 100_000
const documents = 2000
const polls = 100
const many = 1000
const hooked = 50
const perSecond = 200
const seconds = 15
const secret = 'a secret of the benchmark'
const body = JSON.stringify({ ref: 'refs/heads/main', after: '0'.repeat(40), commits: 'x'.repeat(8000) })
const base = '/v1/tenants/local'

const git = (folder: string, args: readonly string[], stdin?: Uint8Array): string => {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
  const done = Bun.spawnSync(['git', '-C', folder, ...args], { env, stdin: stdin ?? null, stderr: 'pipe' })
  if (done.exitCode !== 0) throw new Error(`git ${args[0]}: ${done.stderr.toString()}`)
  return done.stdout.toString().trim()
}

/** Makes a bare repository of one commit. */
function makeRepository(folder: string, entries: Iterable<readonly [path: string, text: string]>): void {
  mkdirSync(folder, { recursive: true })
  git(folder, ['init', '-q', '--bare', '-b', 'main'])
  git(folder, ['config', 'uploadpack.allowFilter', 'true'])
  git(folder, ['config', 'uploadpack.allowAnySHA1InWant', 'true'])
  const parts = ['commit refs/heads/main\ncommitter a <a@example.test> 1700000000 +0000\ndata 3\none\n']
  for (const [path, text] of entries) parts.push(`M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`)
  git(folder, ['fast-import', '--quiet'], Buffer.from(`${parts.join('')}\n`))
}

function* largeTree(): Generator<readonly [string, string]> {
  for (let n = 0; n < files - documents; n++)
    yield [`src/m${n % 317}/part${n % 41}/file${n}.ts`, `export const n = ${n}\n`]
  for (let n = 0; n < documents; n++) yield [`apis/team${n % 40}/api${n}.yaml`, petsYaml(`1.0.${n}`)]
}

/** Processor time of this process and of the processes that it waited for, in ms (Linux). */
function processorMs(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
  // utime, stime, cutime, cstime in hundredths of a second.
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0)
}

async function register(it: PetsProject, url: string): Promise<string> {
  const made = await it.send('POST', `${base}/repositories`, { source: 'public_url', cloneUrl: url })
  if (made.status !== 200) throw new Error(made.text)
  return (made.value['repository'] as { id: string }).id
}

const signal = (): AbortSignal => AbortSignal.timeout(300_000)

async function scanAndPoll(project: PetsProject, url: string, folder: string): Promise<Measurement[]> {
  const id = await register(project, `${url}/large`)
  const { deps } = project.service
  const work = { subjectId: id, tenantId: project.tenantId, deps }
  const bare = performance.now()
  git(folder, ['clone', '-q', '--bare', '--depth=1', '--filter=blob:none', `${url}/large`, 'bare-clone'])
  git(join(folder, 'bare-clone'), ['ls-tree', '-r', '-z', 'HEAD'])
  const cloned = performance.now() - bare
  const begun = performance.now()
  await scanKind.run({ ...work, signal: signal() })
  const scanned = performance.now() - begun
  const { value } = await project.send('GET', `${base}/repositories/${id}`)
  const { files_indexed: indexed } = value['repository'] as { files_indexed: number }
  if (indexed !== files) throw new Error(`${indexed} files were indexed`)
  await pollKind.run({ ...work, signal: signal() })
  const before = processorMs()
  for (let n = 0; n < polls; n++) await pollKind.run({ ...work, signal: signal() })
  const each = (processorMs() - before) / polls
  const lone = processorMs()
  for (let n = 0; n < polls; n++) git(folder, ['ls-remote', '-q', `${url}/large`])
  const bareEach = (processorMs() - lone) / polls
  return [
    {
      name: `first scan of ${files} files, ${documents} of them documents that are read`,
      ours: scanned,
      reference: cloned,
      referenceName: 'git clone without contents, and ls-tree',
      unit: 'ms',
      goal: 'at most 3,000 ms',
    },
    {
      name: 'a poll without a change, processor time of the service and of its git',
      ours: each,
      reference: bareEach,
      referenceName: 'git ls-remote',
      unit: 'ms',
      goal: 'at most 20 ms',
    },
  ]
}

/** Registers the other repositories as the first one is registered: they have the same commit. */
async function copyRepository(db: Database, first: string, url: string): Promise<readonly string[]> {
  const [row] = await db.read.select().from(repositories).where(eq(repositories.id, first))
  const [branch] = await db.read.select().from(repositoryBranches).where(eq(repositoryBranches.repositoryId, first))
  if (row === undefined || branch === undefined) throw new Error('the first repository was not scanned')
  const ids = Array.from({ length: many - 1 }, () => newId())
  await db.inTransaction(async (tx) => {
    for (const [n, id] of ids.entries()) {
      const name = `r${n + 1}`
      await tx.insert(repositories).values({ ...row, id, fullName: name, cloneUrl: `${url}/${name}`, webUrl: null })
      await tx.insert(repositoryBranches).values({ ...branch, repositoryId: id })
    }
  })
  return ids
}

/** Polls all of many repositories once, by the schedule of one process. */
async function pollMany(project: PetsProject, db: Database, ids: readonly string[]): Promise<Measurement> {
  await db.inTransaction(async (tx) => {
    await tx.delete(repositoryPolls)
    for (const subjectId of ids)
      await schedule(tx, 'repository.poll', { subjectId, tenantId: project.tenantId, at: Date.now() })
  })
  const begun = performance.now()
  project.service.deps.wake()
  while ((await db.read.$count(repositoryPolls)) < ids.length) await Bun.sleep(100)
  const took = performance.now() - begun
  const outcomes = await db.read.selectDistinct({ outcome: repositoryPolls.outcome }).from(repositoryPolls)
  if (outcomes.some(({ outcome }) => outcome !== 'unchanged')) throw new Error(JSON.stringify(outcomes))
  return {
    name: `${ids.length} repositories polled by one process`,
    ours: took,
    reference: 300_000,
    referenceName: 'the interval of polls',
    unit: 'ms',
    goal: 'within the interval',
  }
}

/** Sends deliveries at a steady rate and gives how long each was answered in. */
async function deliverAll(url: string, tokens: readonly string[]): Promise<readonly number[]> {
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const waits: number[] = []
  const sent: Promise<void>[] = []
  const begun = performance.now()
  for (let n = 0; n < perSecond * seconds; n++) {
    const at = begun + (n * 1000) / perSecond
    if (performance.now() < at) await Bun.sleep(at - performance.now())
    const deliver = async (): Promise<void> => {
      const asked = performance.now()
      const answer = await fetch(`${url}/v1/hooks/github/${tokens[n % tokens.length] ?? ''}`, {
        method: 'POST',
        body,
        headers: {
          'x-github-event': 'push',
          'x-github-delivery': `delivery ${n}`,
          'x-hub-signature-256': `sha256=${signature}`,
        },
      })
      await answer.text()
      waits.push(performance.now() - asked)
      if (answer.status !== 202) throw new Error(`a delivery was answered with ${answer.status}`)
    }
    sent.push(deliver())
  }
  await Promise.all(sent)
  return waits
}

async function hooks(folder: string, tokens: readonly string[]): Promise<Measurement[]> {
  const server = await startServer([binary, 'serve', '--port', '0'], {
    SVC_WORKSPACE: folder,
    SVC_MCP_HTTP_PORT: '0',
    SVC_EGRESS_ALLOW: '127.0.0.0/8',
    SVC_SECRET_KEY: testKey,
  })
  try {
    await Bun.sleep(2000)
    const waits = (await deliverAll(server.url, tokens)).toSorted((a, b) => a - b)
    const p99 = waits[Math.ceil(waits.length * 0.99) - 1] ?? Number.NaN
    const row = { unit: 'ms', reference: 50, referenceName: 'the bound' } as const
    const name = `webhooks, ${perSecond} a second for ${seconds} s to ${tokens.length} repositories that are read meanwhile`
    return [
      { ...row, name: `${name}, p99`, ours: p99, goal: 'at most 50 ms' },
      { ...row, name: 'the same, median', ours: median(waits), goal: 'none' },
    ]
  } finally {
    await server.stop()
  }
}

export async function repositoriesAtScale(): Promise<readonly Measurement[]> {
  const folder = freshFolder('repositories')
  const served = join(folder, 'git')
  makeRepository(join(served, 'large'), largeTree())
  makeRepository(join(served, 'r0'), [['openapi.yaml', petsYaml('1.0.0')]])
  for (let n = 1; n < many; n++) cpSync(join(served, 'r0'), join(served, `r${n}`), { recursive: true })
  const gitServer = await startServer([process.execPath, join(import.meta.dir, 'git-process.ts'), served])
  const host = new URL(gitServer.url).host
  const path = join(folder, 'svc.db')
  const db = await openDatabase({ kind: 'sqlite', path })
  const it = await openPetsProject(db, { egressAllow: '127.0.0.0/8', gitHosts: `${host}=github` })
  const tokens: string[] = []
  const rows: Measurement[] = []
  try {
    rows.push(...(await scanAndPoll(it, gitServer.url, folder)))
    const first = await register(it, `${gitServer.url}/r0`)
    await scanKind.run({ subjectId: first, tenantId: it.tenantId, deps: it.service.deps, signal: signal() })
    const ids = [first, ...(await copyRepository(db, first, gitServer.url))]
    rows.push(await pollMany(it, db, ids))
    for (const id of ids.slice(0, hooked)) {
      const made = await it.send('POST', `${base}/repositories/${id}/webhook`, { create: 'manual', secret })
      tokens.push((made.value['subscription'] as { url: string }).url.split('/').at(-1) ?? '')
    }
    // Polls are not what is measured next.
    await db.inTransaction((tx) => tx.update(repositories).set({ autoRefreshEnabled: false }))
    await db.inTransaction((tx) => tx.delete(dueWork).where(eq(dueWork.kind, 'repository.poll')))
  } finally {
    await it.service.stop()
    await db.close()
  }
  try {
    rows.push(...(await hooks(folder, tokens)))
    const after = await openDatabase({ kind: 'sqlite', path })
    const taken = await after.read.$count(hookEvents)
    await after.close()
    if (taken !== perSecond * seconds) throw new Error(`${taken} of ${perSecond * seconds} deliveries were listed`)
    return rows
  } finally {
    await gitServer.stop()
  }
}
