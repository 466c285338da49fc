/** Who depends on what: each kind of fact makes its edges, and who sees them. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { draftBindings } from '../../../db/tables.gen.ts'
import { consumersApi } from '../../../src/api/consumers.ts'
import { dependenciesApi } from '../../../src/api/dependencies.ts'
import { environmentsApi } from '../../../src/api/environments.ts'
import { gatewayPositiveApi } from '../../../src/api/gateway-positive.ts'
import { primitivesApi } from '../../../src/api/primitives.ts'
import { projectsApi } from '../../../src/api/projects.ts'
import { versionsApi } from '../../../src/api/versions.ts'
import { addRepository } from '../../fixtures/accounts.ts'
import { onBothEngines } from '../../fixtures/engines.ts'
import { type GatewayService, openGateway } from '../../fixtures/gateway.ts'

const document = `openapi: 3.1.0
info: { title: Shop, version: 1.0.0 }
paths:
  /sums:
    get:
      responses:
        '200':
          description: ok
          content: { application/json: { schema: { $ref: 'svc:shop/Money' } } }
`

onBothEngines('who depends on what', (makeDb) => {
  let it: GatewayService
  const inOrganization = { tenant_slug: 'local' }

  beforeAll(async () => {
    const db = await makeDb()
    it = await openGateway(db, false)
    const call = it.as('ann')
    const schemas = {
      Amount: { type: 'number' },
      Money: { type: 'object', properties: { sum: { $ref: 'svc:shop/Amount' } } },
    }
    for (const [name, schema] of Object.entries(schemas))
      await call(primitivesApi.create, { params: inOrganization, body: { namespace: 'shop', name, schema } })
    const made: string[] = []
    for (const slug of ['shop', 'bank']) {
      const { id } = await call(projectsApi.create, {
        params: inOrganization,
        body: { name: slug.toUpperCase(), slug },
      })
      made.push(id)
      const project = { ...inOrganization, project_ref: slug }
      await call(consumersApi.create, { params: project, body: { name: 'Mobile app', handle: 'mobile' } })
    }
    const [shop = '', bank = ''] = made
    const ofShop = { ...inOrganization, project_ref: 'shop' }
    const version = await call(versionsApi.create, { params: ofShop, body: { label: '1.0.0', content: document } })
    await call(versionsApi.publish, { params: { ...ofShop, version_ref: '1.0.0' }, body: { visibility: 'private' } })
    await call(consumersApi.declare, {
      params: { ...ofShop, consumer_ref: 'mobile' },
      query: { version: '1.0.0' },
      body: { operations: [{ method: 'GET', path: '/sums' }] },
    })
    await call(environmentsApi.update, { params: it.params, body: { project_ids: [bank] } })
    const positive = { projectId: shop, version: 'latest', mode: 'log' as const }
    await call(gatewayPositiveApi.setPositive, { params: it.params, body: positive })
    const repositoryId = await addRepository(db, it.tenantId, 'acme')
    const at = '2026-05-05T12:00:00.000Z'
    const binding = {
      id: 'b1',
      tenantId: it.tenantId,
      projectId: bank,
      versionId: version.id,
      repositoryId,
      provider: 'github' as const,
      repoFullName: 'acme/specs',
      repoUrl: 'https://203.0.113.9/acme/specs.git',
      linkedAccountId: null,
      ref: 'main',
      path: 'openapi.yaml',
      commitSha: 'a',
      sourceDigest: 'd',
      document: null,
      synchronizedAt: at,
      isActive: true,
      createdBy: null,
      createdAt: at,
      updatedAt: at,
      releasedAt: null,
      releasedBy: null,
      releaseReason: null,
    }
    await db.inTransaction((tx) => tx.insert(draftBindings).values(binding))
  })
  afterAll(() => it.service.stop())

  const read = async (who: 'ann' | 'vic', project?: string) => {
    const query = project === undefined ? {} : { project }
    const { nodes, edges, truncated } = await it.as(who)(dependenciesApi.get, { params: inOrganization, query })
    const names = new Map(nodes.map(({ id, kind, name }) => [id, `${kind} ${name}`]))
    return {
      names: [...names.values()].sort(),
      truncated,
      edges: edges
        .map(({ from, to, source, detail }) => `${names.get(from)} → ${names.get(to)}: ${source}, ${detail}`)
        .sort(),
    }
  }
  const ofContracts = [
    'consumer Mobile app → project BANK: contract, registered, nothing declared yet',
    'consumer Mobile app → project SHOP: contract, contract, revision 1',
  ]
  const ofGateways = [
    'environment Production → project BANK: environment, serves it',
    'environment Production → project SHOP: positive-security, compares requests with latest',
  ]
  const ofTypes = [
    'project SHOP → type svc:shop/Amount: published-version, version 1.0.0 refers to revision 1',
    'project SHOP → type svc:shop/Money: published-version, version 1.0.0 refers to revision 1',
    'type svc:shop/Money → type svc:shop/Amount: type, $ref at /properties/sum/$ref',
  ]
  const ofRepository = 'project BANK → repository acme/specs: binding, binding to main, openapi.yaml'

  test('every edge is a fact with its source; a client of two projects is one node', async () => {
    expect(await read('ann')).toEqual({
      names: [
        'consumer Mobile app',
        'environment Production',
        'project BANK',
        'project SHOP',
        'repository acme/specs',
        'type svc:shop/Amount',
        'type svc:shop/Money',
      ],
      edges: [...ofContracts, ...ofGateways, ofRepository, ...ofTypes].sort(),
      truncated: false,
    })
  })

  test('of one project there are its edges, and those of the types that it reaches', async () => {
    const { edges } = await read('ann', 'shop')
    expect(edges).toEqual([ofContracts[1] ?? '', ofGateways[1] ?? '', ...ofTypes].sort())
    const unknown = it.as('ann')(dependenciesApi.get, { params: inOrganization, query: { project: 'none' } })
    expect(await unknown.catch((error: { code?: string }) => error.code)).toBe('project-not-found')
  })

  test('who may not view gateways does not see them here either', async () => {
    expect((await read('vic')).edges).toEqual([...ofContracts, ofRepository, ...ofTypes].sort())
  })
})
