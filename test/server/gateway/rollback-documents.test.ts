/** A rollback to a release of another document: which requests pass again, and who has to agree. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { makeRelease } from '../../../server/gateway/make-release.ts'
import { enforcersApi } from '../../../src/api/gateway-enforcers.ts'
import { gatewayPositiveApi } from '../../../src/api/gateway-positive.ts'
import { releasesApi } from '../../../src/api/gateway-releases.ts'
import { importsApi } from '../../../src/api/imports.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openGateway, type GatewayService } from '../../fixtures/gateway.ts'

const pets = (version: string, isRequired: boolean) => `openapi: 3.1.0
info: { title: Pets, version: ${version} }
paths:
  /pets:
    get:
      parameters: [{ name: limit, in: query, required: ${isRequired}, schema: { type: integer } }]
      responses: { '200': { description: Pets } }
`

onBothEngines('rollback of documents', (makeDb) => {
  let it: GatewayService
  const releases = async () =>
    (await it.as('eva')(releasesApi.list, { params: it.params, query: { limit: 10 } })).releases
  const publish = async (version: string, isRequired: boolean) => {
    const source = { kind: 'inline' as const, name: 'pets.yaml', content: pets(version, isRequired) }
    const body = { source, project_slug: 'pets', publish: 'private' as const }
    const { job_id } = await it.call(importsApi.create, { params: { tenant_slug: it.tenant }, body })
    await it.call(importsApi.get, { params: { job_id }, query: { wait: 30 } })
    await makeRelease(it.service.deps, it.tenantId, it.environment.id)
  }
  beforeAll(async () => {
    it = await openGateway(await makeDb(), true)
    await it.as('ann')(enforcersApi.create, { params: it.params, body: { label: 'edge', engine: 'coraza-caddy' } })
    await publish('1.0.0', false)
    await it.as('ann')(gatewayPositiveApi.setPositive, {
      params: it.params,
      body: { projectId: 'pets', version: 'latest', mode: 'block' },
    })
    await makeRelease(it.service.deps, it.tenantId, it.environment.id)
    await publish('1.1.0', true)
    while ((await releases())[0]?.versionLabel !== '1.1.0') await Bun.sleep(20)
  })
  afterAll(async () => {
    await it.service.stop()
  })

  test('the comparison of two releases says what their documents refuse and accept', async () => {
    const [newest, before] = await releases()
    const { comparison } = await it.as('eva')(releasesApi.list, {
      params: it.params,
      query: { from: newest?.id ?? '', to: before?.id ?? '' },
    })
    const documents = comparison?.documents
    expect([newest?.versionLabel, before?.versionLabel]).toEqual(['1.1.0', '1.0.0'])
    expect([documents?.from, documents?.to, documents?.refused?.total, documents?.allowed?.total]).toEqual([
      '1.1.0',
      '1.0.0',
      0,
      1,
    ])
    expect(documents?.allowed?.changes.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /pets'])
    const same = await it.as('eva')(releasesApi.list, {
      params: it.params,
      query: { from: newest?.id ?? '', to: newest?.id ?? '' },
    })
    expect(same.comparison?.documents).toBeNull()
  })

  test('the same policy with an older document needs another person, who reads why', async () => {
    const [, before] = await releases()
    const params = { ...it.params, release_id: before?.id ?? '' }
    const asked = await it
      .as('ann')(releasesApi.rollback, { params, body: {} })
      .then(
        () => null,
        (error: unknown) => error as { code: string; detail: { approval: { id: string; risks: string[] } } },
      )
    expect(asked?.code).toBe('approval-required')
    expect(JSON.stringify(asked?.detail)).toContain(
      'Requests are compared with 1.0.0 instead of 1.1.0: 1 change lets requests pass that are refused now.',
    )
  })

  test('nothing failed beside what was asked', () => {
    expect(it.faults).toEqual([])
  })
})
