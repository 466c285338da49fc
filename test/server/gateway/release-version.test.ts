/** A version of the document that cannot be compiled keeps no policy from the gateways. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { clockOf } from '../../../db/clock.ts'
import { versions } from '../../../db/tables.gen.ts'
import { makeRelease } from '../../../server/gateway/make-release.ts'
import { enforcersApi } from '../../../src/api/gateway-enforcers.ts'
import { gatewayPositiveApi } from '../../../src/api/gateway-positive.ts'
import { releasesApi } from '../../../src/api/gateway-releases.ts'
import { gatewayApi } from '../../../src/api/gateway.ts'
import { importsApi } from '../../../src/api/imports.ts'
import { SvcError } from '../../../src/errors.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { openGateway, policyOf, type GatewayService } from '../../fixtures/gateway.ts'

onBothEngines('a version that cannot be compiled', (makeDb) => {
  let it: GatewayService
  const now = Date.now()
  beforeAll(async () => {
    it = await openGateway(await makeDb(), false)
  })
  afterAll(async () => {
    await it.service.stop()
  })
  const compile = (deps = it.service.deps) => makeRelease(deps, it.tenantId, it.environment.id)
  const list = () => it.as('eva')(releasesApi.list, { params: it.params, query: { limit: 200 } })
  const setTier = (tier: 'basic' | 'strict') =>
    it.as('ann')(gatewayApi.setPresets, { params: it.params, body: { tier } })
  const publish = async (version: string) => {
    const content = `openapi: 3.1.0
info: { title: Pets, version: ${version} }
paths: { "/pets/${version}": { get: { responses: { '200': { description: ok } } } } }
`
    const source = { kind: 'inline' as const, name: 'pets.yaml', content }
    const body = { source, project_slug: 'pets', publish: 'private' as const }
    const { job_id } = await it.call(importsApi.create, { params: { tenant_slug: it.tenant }, body })
    await it.call(importsApi.get, { params: { job_id }, query: { wait: 30 } })
  }
  const digests = { second: '' }
  /** Deps whose analysis compiles nothing with version 2.0.0. */
  const failing = () => {
    const { analysis } = it.service.deps
    let refuses = false
    const run = async (...given: Parameters<typeof analysis.run>): Promise<unknown> => {
      if (refuses) throw new SvcError('analysis-stopped', { what: 'Compiling', under: '', reason: 'slow', rules: [] })
      return analysis.run(...given)
    }
    const subjectOf: typeof analysis.subjectOf = (version) => {
      refuses = version.digest === digests.second
      return analysis.subjectOf(version)
    }
    const stopped = { run, subjectOf }
    return {
      ...it.service.deps,
      clock: clockOf(() => now),
      analysis: stopped as unknown as typeof analysis,
    }
  }

  test('gateways get each later policy with the version that they have, and the service says so', async () => {
    await it.as('ann')(enforcersApi.create, { params: it.params, body: { label: 'edge', engine: 'coraza-caddy' } })
    await publish('1.0.0')
    const body = { projectId: 'pets', version: 'latest', mode: 'block' as const }
    await it.as('ann')(gatewayPositiveApi.setPositive, { params: it.params, body })
    // The schedule of the service may have been faster.
    while ((await list()).releases[0]?.versionLabel !== '1.0.0') await compile()
    await publish('2.0.0')
    const [second] = await it.service.deps.db.read.select().from(versions).where(eq(versions.label, '2.0.0'))
    digests.second = second?.digest ?? ''
    await it.service.stop()
    const first = await list()
    await setTier('strict')
    const { policyVersion } = await policyOf(it)
    expect(await compile(failing())).toBe(now + 60_000)
    const { releases, failure, total } = await list()
    expect(total).toBe(first.total + 1)
    expect(releases[0]).toMatchObject({ policyVersion, versionLabel: '1.0.0', trigger: 'policy' })
    expect(failure).toMatchObject({ policyVersion, isReleased: true })
    expect(failure?.reason).toStartWith('Version 2.0.0 of the document cannot be compiled: ')
    expect(failure?.reason).toEndWith(' Gateways have the policy with version 1.0.0 of the document.')
    // Again: it is tried later, and makes no other release.
    expect(await compile(failing())).toBe(now + 120_000)
    expect((await list()).total).toBe(total)
    // The next policy takes effect too.
    await setTier('basic')
    await compile(failing())
    const next = await list()
    expect(next.releases[0]).toMatchObject({ policyVersion: policyVersion + 1, versionLabel: '1.0.0' })
    expect(next.failure).toMatchObject({ policyVersion: policyVersion + 1, isReleased: true })
    const [release] = next.releases
    const { enforces } = await policyOf(it)
    expect(enforces[0]?.reason).toBe('The gateway "edge" has not reported yet.')
    // As soon as it can be compiled, gateways get it.
    expect(await compile()).toBeNull()
    const last = await list()
    expect([last.releases[0]?.versionLabel, last.releases[0]?.trigger, last.failure]).toEqual([
      '2.0.0',
      'publish',
      null,
    ])
    expect(last.releases[0]?.number).toBe((release?.number ?? 0) + 1)
  })
})
