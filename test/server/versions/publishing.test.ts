import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Database } from '../../../db/database.ts'
import { auditEvents, outboxEvents, tenants, versionChanges, versions } from '../../../db/tables.gen.ts'
import { publishVersion } from '../../../server/versions/publish.ts'
import { keyPermissions } from '../../../src/api/permissions.ts'
import { versionsApi } from '../../../src/api/versions.ts'
import { SvcError } from '../../../src/errors.ts'
import { killedAt } from '../../fixtures/killed-at.ts'
import { noteLocks } from '../../fixtures/locks.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addApiKey, addTenant } from '../../fixtures/accounts.ts'
import { openPetsProject, petsYaml, type PetsProject } from '../../fixtures/pets-project.ts'

const pet = (required: boolean) =>
  `{ /pets: { get: { operationId: list, parameters: [{ name: kind, in: query, required: ${required}, schema: { type: string } }], responses: { '200': { description: ok } } } } }`

interface Gate {
  readonly id: string
  readonly status: string
  readonly message: string
  readonly evidence_url: string | null
}

onBothEngines('publishing', (makeDb) => {
  let it: PetsProject
  let db: Database
  beforeAll(async () => {
    db = await makeDb()
    it = await openPetsProject(db)
  })
  afterAll(() => it.service.stop())

  const grantOfOwner = async () => {
    const [tenant] = await db.read.select().from(tenants).where(eq(tenants.id, it.tenantId))
    return {
      principal: { kind: 'user' as const, userId: it.ownerId, via: 'local' as const },
      tenant: { id: it.tenantId, slug: tenant?.slug ?? '', name: '', plan: null },
      role: null,
      permissions: keyPermissions,
    }
  }
  const draft = (label: string, paths = '{}') =>
    it.send('POST', '', { label, content: petsYaml(label, paths), visibility: 'private' })

  test('every step from every state', async () => {
    const bring = async (label: string, steps: readonly string[]) => {
      await draft(label)
      for (const step of steps) expect((await it.send('POST', `/${label}/${step}`)).status).toBe(200)
    }
    const states: Readonly<Record<string, readonly string[]>> = {
      draft: [],
      published: ['publish'],
      deprecated: ['publish', 'deprecate'],
      retired: ['publish', 'retire'],
    }
    const table: Record<string, Record<string, string>> = {}
    for (const [state, steps] of Object.entries(states)) {
      table[state] = {}
      for (const step of ['publish', 'deprecate', 'retire', 'delete', 'put']) {
        const label = `table-${state}-${step}`
        await bring(label, steps)
        const yaml = { 'content-type': 'application/yaml', 'if-match': '*' }
        const after =
          step === 'delete'
            ? await it.brief('DELETE', `/${label}`)
            : step === 'put'
              ? await it.brief('PUT', `/${label}/document`, petsYaml(label), yaml)
              : await it.brief('POST', `/${label}/${step}`)
        const now = await it.send('GET', `/${label}`)
        table[state][step] = `${after} -> ${now.status === 404 ? 'gone' : String(now.value['status'])}`
      }
    }
    expect(table).toEqual({
      draft: {
        publish: '200 -> published',
        deprecate: '409 version-transition -> draft',
        retire: '409 version-transition -> draft',
        delete: '204 -> gone',
        put: '200 draft -> draft',
      },
      published: {
        publish: '409 version-transition -> published',
        deprecate: '200 deprecated -> deprecated',
        retire: '200 retired -> retired',
        delete: '409 version-published -> published',
        put: '409 version-published -> published',
      },
      deprecated: {
        publish: '409 version-transition -> deprecated',
        deprecate: '200 deprecated -> deprecated',
        retire: '200 retired -> retired',
        delete: '409 version-published -> deprecated',
        put: '409 version-published -> deprecated',
      },
      retired: {
        publish: '409 version-transition -> retired',
        deprecate: '409 version-transition -> retired',
        retire: '409 version-transition -> retired',
        delete: '409 version-published -> retired',
        put: '409 version-published -> retired',
      },
    })
  })

  test('all gates are evaluated, in order, each with evidence that answers', async () => {
    await draft('1.0.0', pet(false))
    expect(await it.brief('POST', '/1.0.0/publish', { visibility: 'public' })).toBe('200')
    await draft('1.1.0', pet(true))
    const { value } = await it.send('GET', '/1.1.0/publish-readiness')
    const gates = value['gates'] as readonly Gate[]
    // What lint says of it is tried where lint is.
    const shown = ({ id, status }: Gate) => (id.startsWith('lint-') ? id : `${id} ${status}`)
    expect(gates.map(shown)).toEqual([
      'document-valid pass',
      'unresolved-refs pass',
      'lint-grade',
      'lint-findings',
      'breaking-guardrail warn',
      'semver-consistent warn',
      'compat warn',
      'consumer-impact skipped',
      'threads-resolved pass',
      'approval skipped',
    ])
    for (const { evidence_url: url } of gates) {
      if (url === null) continue
      const evidence = await it.send('GET', url.replace('http://svc.test', ''))
      expect([url, evidence.status]).toEqual([url, 200])
    }
    expect(gates.filter((gate) => gate.evidence_url === null).map(({ id }) => id)).toEqual([
      'consumer-impact',
      'threads-resolved',
      'approval',
    ])
    // Nothing was published by asking.
    expect(await it.brief('GET', '/1.1.0')).toBe('200 draft')
  })

  test('a publication writes version, change record, event and audit trail, and says what it was compared with', async () => {
    expect(await it.brief('POST', '/1.1.0/publish', { expected_digest: 'sha256:0' })).toBe('412 document-changed')
    expect(await it.brief('POST', '/1.1.0/publish', { changeReportBaselineMode: 'manual' })).toBe(
      '400 baseline-invalid',
    )
    const manual = (id: string) => ({ changeReportBaselineMode: 'manual', changeReportBaselineRevisionId: id })
    expect(await it.brief('POST', '/1.1.0/publish', manual('nothing'))).toBe('400 baseline-invalid')
    await draft('1.0.9')
    const other = (await it.send('GET', '/1.0.9')).value['id']
    expect(await it.brief('POST', '/1.1.0/publish', manual(String(other)))).toBe('400 baseline-invalid')
    const before = (await it.send('GET', '/1.0.0')).value['id']
    const digest = (await it.send('GET', '/1.1.0')).value['digest']
    expect(await it.brief('POST', '/1.1.0/publish', { expected_digest: digest, visibility: 'public' })).toBe('200')
    const id = String((await it.send('GET', '/1.1.0')).value['id'])
    const [record] = await db.read.select().from(versionChanges).where(eq(versionChanges.versionId, id))
    expect(record).toMatchObject({
      baselineVersionId: before,
      baselineMode: 'auto',
      maxSeverity: 'breaking',
      digest,
      isForced: false,
    })
    const [event] = await db.read.select().from(outboxEvents).where(eq(outboxEvents.subjectId, id))
    expect(event).toMatchObject({
      type: 'version.published',
      payload: { label: '1.1.0', visibility: 'public', max_severity: 'breaking', baseline_version_id: before },
    })
    const trail = await db.read.select().from(auditEvents).where(eq(auditEvents.targetId, id))
    expect(trail.map(({ action }) => action).toSorted()).toEqual(['version.created', 'version.published'])
    const changes = await it.send('GET', '/1.1.0/changes')
    expect(changes.value).toMatchObject({ max_severity: 'breaking', published: { baseline_version_id: before } })
    expect((changes.value['items'] as unknown[]).length).toBe(changes.value['total'] as number)
    await draft('1.2.0')
    expect(await it.brief('POST', '/1.2.0/publish', { changeReportBaselineMode: 'initial' })).toBe('200')
    expect((await it.send('GET', '/1.2.0/changes')).value).toMatchObject({
      base: null,
      published: { baseline_mode: 'initial', baseline_version_id: null, max_severity: null },
      items: [],
    })
    expect((await it.send('GET', '/1.2.0/changes?base=1.0.0')).value).toMatchObject({ base: { label: '1.0.0' } })
  })

  test('a fix of an old line is compared with that line', async () => {
    await draft('2.0.0')
    await it.send('POST', '/2.0.0/publish')
    await draft('1.1.1', pet(true))
    const { value } = await it.send('GET', '/1.1.1/publish-readiness')
    const gates = value['gates'] as readonly Gate[]
    expect(gates.find(({ id }) => id === 'semver-consistent')).toMatchObject({ status: 'pass' })
    expect(gates.find(({ id }) => id === 'breaking-guardrail')?.message).toContain('1.1.0')
  })

  test('force needs a permission and a reason, and is in the audit trail', async () => {
    await draft('3.0.0')
    expect(await it.brief('POST', '/3.0.0/publish', { force: true })).toBe('400 force-needs-reason')
    expect(await it.brief('POST', '/3.0.0/publish', { force: true, force_reason: ' ' })).toBe('400 force-needs-reason')
    expect(await it.brief('POST', '/3.0.0/publish', { force: true, force_reason: 'Friday' })).toBe('200')
    const id = String((await it.send('GET', '/3.0.0')).value['id'])
    const trail = await db.read.select().from(auditEvents).where(eq(auditEvents.targetId, id))
    expect(trail.find(({ action }) => action === 'version.published-by-force')?.detail).toMatchObject({
      reason: 'Friday',
    })
  })

  test('killed between any two of its writes, a publication leaves nothing', async () => {
    const grant = await grantOfOwner()
    await draft('4.0.0', pet(false))
    const state = async () => {
      const rows = await Promise.all(
        [versions, versionChanges, outboxEvents, auditEvents].map((table) => db.read.select().from(table)),
      )
      return JSON.stringify(rows.map((all) => all.map((row) => JSON.stringify(row)).toSorted()))
    }
    const before = await state()
    const refs = { project: 'pets', version: '4.0.0' }
    let n = 1
    for (; n < 50; n++) {
      const killed = killedAt(db, n)
      const work = publishVersion({ ...it.service.deps, db: killed.db }, grant, refs, {})
      const failure = await work.then(
        () => null,
        (error: unknown) => error,
      )
      if (failure === null) break
      expect((failure as Error).message).toBe('killed')
      expect(await state()).toBe(before)
    }
    // Version, change record, change report, event, audit trail.
    expect(n).toBe(6)
    expect(await it.brief('GET', '/4.0.0')).toBe('200 published')
  })

  test('who publishes meanwhile changes what the gates compare with, however often', async () => {
    const grant = await grantOfOwner()
    const publishOther = async (label: string): Promise<void> => {
      await draft(label, pet(false))
      expect(await it.brief('POST', `/${label}/publish`)).toBe('200')
    }
    // A database before whose transactions, up to the n-th, another caller publishes.
    const interruptedBy = (labels: string[]): Database => {
      const inTransaction: Database['inTransaction'] = async (work) => {
        const label = labels.shift()
        if (label !== undefined) await publishOther(label)
        return db.inTransaction(work)
      }
      return new Proxy(db, {
        get: (target, name) => {
          if (name === 'inTransaction') return inTransaction
          const value: unknown = Reflect.get(target, name)
          return typeof value === 'function' ? (value.bind(target) as unknown) : value
        },
      })
    }
    const comparedWith = async (label: string) => {
      const id = String((await it.send('GET', `/${label}`)).value['id'])
      const [row] = await db.read
        .select({ label: versions.label })
        .from(versionChanges)
        .innerJoin(versions, eq(versions.id, versionChanges.baselineVersionId))
        .where(eq(versionChanges.versionId, id))
      return row?.label
    }
    await publishOther('4.1.0')
    for (const [label, others] of [
      ['4.2.0', ['4.1.1']],
      ['4.4.0', ['4.2.1', '4.2.2', '4.2.3', '4.2.4', '4.2.5', '4.2.6', '4.2.7', '4.2.8']],
    ] as const) {
      await draft(label, pet(false))
      const left = [...others]
      const { gates } = await publishVersion(
        { ...it.service.deps, db: interruptedBy(left) },
        grant,
        {
          project: 'pets',
          version: label,
        },
        {},
      )
      const before = others[others.length - left.length - 1] ?? ''
      expect(gates.find(({ id }) => id === 'breaking-guardrail')?.message).toContain(before)
      expect(await comparedWith(label)).toBe(before)
    }
  })

  test('what changes meanwhile is not published with the gates of before; every attempt is under the lock', async () => {
    const grant = await grantOfOwner()
    // Before each transaction the next of these happens.
    const publish = async (
      label: string,
      happens: (() => Promise<unknown>)[],
      request: { expected_digest?: string } = {},
    ) => {
      const noted = noteLocks(db)
      const inTransaction: Database['inTransaction'] = async (work) => {
        await happens.shift()?.()
        return noted.db.inTransaction(work)
      }
      const interrupted = new Proxy(db, {
        get: (target, name) => {
          if (name === 'inTransaction') return inTransaction
          const value: unknown = Reflect.get(target, name)
          return typeof value === 'function' ? (value.bind(target) as unknown) : value
        },
      })
      const deps = { ...it.service.deps, db: interrupted }
      const answer = await publishVersion(deps, grant, { project: 'pets', version: label }, request).then(
        ({ version }) => version.status,
        (error: SvcError) => error.code,
      )
      return [answer, noted.locks.filter((name) => name.startsWith('project ')).length]
    }
    const change = (label: string) => () =>
      it.send('PUT', `/${label}/document`, petsYaml(label, pet(true)), {
        'content-type': 'application/yaml',
        'if-match': '*',
      })
    const other = (label: string) => async () => {
      await draft(label, pet(false))
      expect(await it.brief('POST', `/${label}/publish`)).toBe('200')
    }
    await draft('4.5.0', pet(false))
    expect(await publish('4.5.0', [])).toEqual(['published', 1])
    await draft('4.6.0', pet(false))
    expect(await publish('4.6.0', [change('4.6.0')])).toEqual(['document-changed', 1])
    await draft('4.7.0', pet(false))
    const digest = String((await it.send('GET', '/4.7.0')).value['digest'])
    const others = ['4.5.1', '4.5.2', '4.5.3', '4.5.4', '4.5.5'].map(other)
    expect(await publish('4.7.0', [...others, change('4.7.0')], { expected_digest: digest })).toEqual([
      'document-changed',
      6,
    ])
  })

  test('two who publish at once: one does, and there is one record', async () => {
    await draft('5.0.0')
    const both = await Promise.all([1, 2, 3].map(() => it.brief('POST', '/5.0.0/publish')))
    expect(both.toSorted()).toEqual(['200', '409 version-transition', '409 version-transition'])
    expect(JSON.stringify((await it.send('POST', '/5.0.0/publish')).value)).toContain(
      String.raw`Version \"5.0.0\" is already published.`,
    )
    const id = String((await it.send('GET', '/5.0.0')).value['id'])
    expect(await db.read.$count(versionChanges, eq(versionChanges.versionId, id))).toBe(1)
    expect(await db.read.$count(outboxEvents, eq(outboxEvents.subjectId, id))).toBe(1)
  })

  test('latest is the greatest published label, pre-releases before their release', async () => {
    const latest = async () => (await it.send('GET', '/latest')).value['label']
    expect(await latest()).toBe('5.0.0')
    for (const label of ['6.0.0-rc.2', '6.0.0-rc.10']) {
      await draft(label)
      await it.send('POST', `/${label}/publish`)
    }
    expect(await latest()).toBe('6.0.0-rc.10')
    await draft('6.0.0')
    expect(await latest()).toBe('6.0.0-rc.10')
    await it.send('POST', '/6.0.0/publish', { visibility: 'public' })
    expect(await latest()).toBe('6.0.0')
    expect((await it.get('/v1/schema/local/pets/latest')).status).toBe(200)
    await it.send('POST', '/6.0.0/retire')
    expect(await latest()).toBe('6.0.0-rc.10')
  })

  test('a gate that fails stops, and with force it does not', async () => {
    const guides = '/v1/style-guides/local'
    const { id } = (await it.send('POST', guides, { name: 'Strict' })).value
    await it.send('PUT', `${guides}/${String(id)}/policy`, { policyGates: { 'unresolved-refs': 'block' } })
    await it.send('PUT', `${guides}/${String(id)}/assignments/projects/pets`)
    await draft('7.0.0', "{ /a: { get: { responses: { '200': { $ref: '#/components/responses/Nowhere' } } } } }")
    expect((await it.send('GET', '/7.0.0/publish-readiness')).value['ready']).toBe(false)
    expect(await it.brief('POST', '/7.0.0/publish')).toBe('409 publish-gates-failed')
    expect(await it.brief('POST', '/7.0.0/publish', { force: false })).toBe('409 publish-gates-failed')
    expect(await it.brief('POST', '/7.0.0/publish', { force: true, force_reason: 'Friday' })).toBe('200')
    await it.send('DELETE', `${guides}/${String(id)}/assignments/projects/pets`)
  })

  test('nobody of another tenant reaches a version by its id', async () => {
    const id = String((await it.send('GET', '/1.0.0')).value['id'])
    const foreign = await addTenant(db, `foreign-${makeDb.dialect}`)
    const headers = { 'x-api-key': await addApiKey(db, foreign) }
    const own = `/v1/tenants/foreign-${makeDb.dialect}/projects/pets/versions/${id}`
    for (const path of ['', '/document', '/changes', '/publish-readiness', '/operations'])
      expect(await it.brief('GET', own + path, undefined, headers)).toBe('404 project-not-found')
    for (const path of [`/${id}`, `/${id}/document`, `/${id}/changes`])
      expect(await it.brief('GET', path, undefined, headers)).toBe('403 tenant-access-denied')
    expect(await it.brief('PUT', `/${id}/document`, '{}', { ...headers, 'if-match': '*' })).toBe(
      '403 tenant-access-denied',
    )
    const viewer = it.service.callWith(null)
    const params = { tenant_slug: 'local', project_ref: 'pets', version_ref: id }
    const refused = await viewer(versionsApi.get, { params }).catch((error: unknown) => error)
    expect(refused instanceof SvcError && refused.code).toBe('credentials-missing')
    expect(it.faults).toEqual([])
  })
})
