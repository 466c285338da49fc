import { afterAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditEvents, outboxEvents, versionChanges } from '../../../db/tables.gen.ts'
import { versionsApi } from '../../../src/api/versions.ts'
import { SvcError } from '../../../src/errors.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { addApiKey, addTenant } from '../../fixtures/accounts.ts'
import { petsYaml } from '../../fixtures/pets-project.ts'
import { openPublishing, pet, type Publishing } from './publishing.ts'

interface Gate {
  readonly id: string
  readonly status: string
  readonly message: string
  readonly evidence_url: string | null
}

onBothEngines('publishing', (makeDb) => {
  const opened: Publishing[] = []
  const open = async (): Promise<Publishing> => {
    const made = await openPublishing(await makeDb())
    opened.push(made)
    return made
  }
  afterAll(() => Promise.all(opened.map(({ it }) => it.service.stop())))

  test('a deprecation keeps what a later one leaves out, and names an existing version as its replacement', async () => {
    const { it, draft } = await open()
    for (const label of ['1.0.0', '2.0.0']) await draft(label)
    await it.send('POST', '/1.0.0/publish')
    const deprecate = async (body: object) => {
      const { status, value } = await it.send('POST', '/1.0.0/deprecate', body)
      return status === 200 ? [value['sunset_at'], value['replacement']] : [status, value.detail?.code]
    }
    const sunset = '2027-01-31T00:00:00.000Z'
    expect(await deprecate({ sunset_at: sunset })).toEqual([sunset, null])
    expect(await deprecate({ replacement: '2.0.0' })).toEqual([sunset, '2.0.0'])
    expect(await deprecate({ replacement: '9.9.9' })).toEqual([404, 'version-not-found'])
    expect(await deprecate({ replacement: '1.0.0' })).toEqual([422, 'replacement-invalid'])
    expect(await deprecate({ sunset_at: null, replacement: null })).toEqual([null, null])
  })

  test('every step from every state', async () => {
    const { it, draft } = await open()
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
    const { it, draft } = await open()
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
      'gateway-impact skipped',
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
      'gateway-impact',
      'threads-resolved',
      'approval',
    ])
    // Nothing was published by asking.
    expect(await it.brief('GET', '/1.1.0')).toBe('200 draft')
  })

  test('a publication writes version, change record, event and audit trail, and says what it was compared with', async () => {
    const { it, db, draft, publish } = await open()
    await publish('1.0.0', pet(false))
    await draft('1.1.0', pet(true))
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
    const { it, draft, publish } = await open()
    await publish('1.0.0', pet(false))
    await publish('1.1.0', pet(true))
    await publish('2.0.0')
    await draft('1.1.1', pet(true))
    const { value } = await it.send('GET', '/1.1.1/publish-readiness')
    const gates = value['gates'] as readonly Gate[]
    expect(gates.find(({ id }) => id === 'semver-consistent')).toMatchObject({ status: 'pass' })
    expect(gates.find(({ id }) => id === 'breaking-guardrail')?.message).toContain('1.1.0')
  })

  test('force needs a permission and a reason, and is in the audit trail', async () => {
    const { it, db, draft } = await open()
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

  test('latest is the greatest published label, pre-releases before their release', async () => {
    const { it, draft, publish } = await open()
    const latest = async () => (await it.send('GET', '/latest')).value['label']
    await publish('5.0.0')
    expect(await latest()).toBe('5.0.0')
    for (const label of ['6.0.0-rc.2', '6.0.0-rc.10']) {
      await publish(label)
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
    const { it, draft } = await open()
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
    const { it, db, draft } = await open()
    await draft('1.0.0')
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
