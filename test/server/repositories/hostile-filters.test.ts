/** Patterns of a reader against the files of a large repository: each is answered or refused, and nobody else waits. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { ensureLocalTenant } from '../../../server/auth/local-tenant.ts'
import { repositories, repositoryBranches } from '../../../db/tables.gen.ts'
import { packFiles } from '../../../server/hosting/listing.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { startService, type TestService } from '../../fixtures/service.ts'
import { watchStalls } from '../../fixtures/stalls.ts'

const files = 20_000
const folder = `${'a'.repeat(60)}/${'a'.repeat(60)}/${'a'.repeat(60)}`
const paths = Array.from({ length: files }, (_, at) => `${folder}/${String(at)}`)

/** Each takes minutes where every path gets a budget of its own. */
const hostile = ['(.*a){25}X', String.raw`(?=(a+))\1{50}b`, String.raw`^(a|a)*\1$`]

onBothEngines('filters of files', (makeDb) => {
  let it: TestService
  const id = randomUUID()
  const base = `/v1/tenants/local/repositories/${id}`

  const status = async (query: string, filter = 'regex'): Promise<string> => {
    const answer = await it.ask(`${base}/files?branch=main&limit=1&${filter}=${encodeURIComponent(query)}`, {})
    const { total, detail } = (await answer.json()) as { total?: number; detail?: { code: string } }
    return `${answer.status} ${detail?.code ?? total}`
  }

  beforeAll(async () => {
    const db = await makeDb()
    it = await startService(db, { analysis: { processes: 2, deadlineMs: 15_000, memoryMb: 512 } })
    const at = new Date().toISOString()
    const { tenantId } = await ensureLocalTenant(db, Date.now())
    const listed = paths.map((path) => ({ path, oid: 'o', size: 1, kind: null, isKnown: true, reason: null }))
    const packed = await packFiles(listed)
    await db.inTransaction(async (tx) => {
      await tx.insert(repositories).values({
        id,
        tenantId,
        provider: 'gitlab',
        host: 'git.test',
        source: 'public_url',
        fullName: 'acme/large',
        cloneUrl: 'https://git.test/acme/large.git',
        defaultBranch: 'main',
        isPrivate: false,
        autoRefreshEnabled: false,
        conflictPolicy: 'overwrite',
        healthReasons: [],
        branchesIndexed: 1,
        filesIndexed: files,
        failures: 0,
        createdAt: at,
        updatedAt: at,
      })
      await tx.insert(repositoryBranches).values({
        repositoryId: id,
        tenantId,
        branch: 'main',
        commitSha: 'f'.repeat(40),
        indexedAt: at,
        filesCount: files,
        isTruncated: false,
        files: packed,
      })
    })
  }, 180_000)
  afterAll(() => it.service.stop())

  test('a regular expression that takes too long is refused by its steps or the deadline, and no one waits for it', async () => {
    const end = watchStalls()
    const answers: string[] = []
    for (const regex of hostile) answers.push(await status(regex))
    // On a machine that does much else the deadline may be first.
    expect(answers.filter((one) => !/^422 (?:file-pattern-invalid|analysis-stopped)$/.test(one))).toEqual([])
    expect(await end()).toEqual([])
  }, 180_000)

  test('the tree of folders refuses it as the list does', async () => {
    const answer = await it.ask(`${base}/tree?branch=main&regex=${encodeURIComponent('(.*a){25}X')}`, {})
    expect(answer.status).toBe(422)
  }, 180_000)

  test('plain ones are answered, over all paths', async () => {
    expect(await status('X$')).toBe('200 0')
    expect(await status('/19999$')).toBe('200 1')
    expect(await status('/1999[0-9]$')).toBe('200 10')
  }, 180_000)

  test('a glob that has to be tried at every place is refused, or answered in turns', async () => {
    const end = watchStalls()
    expect(await status('**/19999', 'glob')).toBe('200 1')
    expect(await status(`*${'a'.repeat(900)}b`, 'glob')).toMatch(/^(?:200 0|422 request-too-costly)$/)
    expect(await status(`${'**/*a'.repeat(190)}b`, 'glob')).toMatch(/^(?:200 0|422 request-too-costly)$/)
    expect(await end()).toEqual([])
  }, 180_000)

  test('a reader who goes ends the work', async () => {
    const gone = new AbortController()
    const asked = it.ask(`${base}/files?branch=main&regex=${encodeURIComponent('(.*a){25}X')}`, { signal: gone.signal })
    await Bun.sleep(100)
    gone.abort()
    await asked.catch(() => null)
    expect(await status('/19999$')).toBe('200 1')
  }, 180_000)
})
