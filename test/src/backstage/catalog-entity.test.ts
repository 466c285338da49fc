import { describe, expect, test } from 'bun:test'
import {
  CatalogEntityError,
  type CatalogProject,
  readCatalogEntity,
  writeCatalogEntity,
} from '../../../src/backstage/catalog-entity.ts'
import { factsOfInfo } from '../../../src/backstage/info-extensions.ts'
import type { Json } from '../../../src/kernel/json.ts'

const api = (metadata: Json, spec: Json = {}): Json => ({ kind: 'API', metadata, spec })

/** The message of a refusal. */
const refusal = (entity: Json): string => {
  try {
    return JSON.stringify(readCatalogEntity(entity))
  } catch (error) {
    if (error instanceof CatalogEntityError) return error.message
    throw error
  }
}

describe('an entity of Backstage', () => {
  test('gives what a project has, and nothing for what it leaves out', () => {
    const metadata = {
      name: 'pets',
      title: 'Pet store',
      description: ' Sells pets. ',
      tags: ['REST', 'public'],
      links: [{ url: 'https://example.com/run', title: 'Runbook', icon: 'book' }, { url: 'http://example.com' }],
    }
    const spec = { type: 'openapi', lifecycle: 'Production', owner: 'group:default/shop', definition: '…' }
    expect(readCatalogEntity(api(metadata, spec))).toEqual({
      name: 'Pet store',
      description: 'Sells pets.',
      owner: 'shop',
      lifecycle: 'production',
      tags: ['rest', 'public'],
      links: [
        { title: 'Runbook', url: 'https://example.com/run' },
        { title: null, url: 'http://example.com' },
      ],
    })
    expect(readCatalogEntity(api({ name: 'pets' }))).toEqual({})
    expect(readCatalogEntity(api({ title: null, tags: null }, { owner: ' ' }))).toEqual({})
    expect(readCatalogEntity(api({}, { owner: 'user:default/ada' }))).toEqual({ owner: 'user:default/ada' })
  })

  test('is refused with the name of the property', () => {
    expect([
      refusal('API'),
      refusal({ kind: 'System', metadata: {} }),
      refusal({ kind: 'API' }),
      refusal(api({ title: 1 })),
      refusal(api({ tags: 'rest' })),
      refusal(api({ tags: [''] })),
      refusal(api({ links: ['https://example.com'] })),
      refusal(api({ links: [{ url: 'javascript:alert(1)' }] })),
      refusal(api({}, { lifecycle: 'beta' })),
      refusal(api({}, { owner: ['a'] })),
    ]).toEqual([
      'an entity must be an object',
      '"kind" must be API or Component',
      '"metadata" must be an object',
      '"metadata.title" must be a string',
      '"metadata.tags" must be a list',
      '"metadata.tags[0]" must be a string',
      '"metadata.links[0]" must be an object',
      '"metadata.links[0].url" must be an http or https URL',
      '"spec.lifecycle" must be one of experimental, production, deprecated, not "beta"',
      '"spec.owner" must be a string',
    ])
  })

  test('is written with everything that Backstage requires, and read again it is the same', () => {
    const project: CatalogProject = {
      slug: 'pets',
      name: 'Pet store',
      description: 'Sells pets.',
      owner: 'shop',
      lifecycle: 'production',
      tags: ['public'],
      links: [{ title: null, url: 'https://example.com' }],
      format: 'openapi',
      document: 'https://svc.example.com/v1/schema/acme/pets/1.0.0',
    }
    const { slug: _, format: __, document: ___, ...facts } = project
    expect(readCatalogEntity(writeCatalogEntity(project))).toEqual(facts as never)
    const bare = {
      ...project,
      description: null,
      owner: null,
      lifecycle: null,
      tags: [],
      links: [],
      format: null,
      document: null,
    }
    expect(writeCatalogEntity({ ...bare, slug: `${'a'.repeat(62)}-b` })).toEqual({
      apiVersion: 'backstage.io/v1alpha1',
      kind: 'API',
      metadata: { name: 'a'.repeat(62), title: 'Pet store' },
      spec: { type: 'openapi', lifecycle: 'experimental', owner: 'unknown', definition: '' },
    })
    expect(writeCatalogEntity({ ...project, format: 'arazzo' })).toMatchObject({ spec: { type: 'arazzo' } })
  })
})

test('the info of a document names owner, lifecycle and tags; what cannot be used is left out', () => {
  expect(
    factsOfInfo({ info: { 'x-owner': 'shop', 'x-lifecycle': 'deprecated', 'x-tags': ['A', 'b', 'b', 'c d', 1] } }),
  ).toEqual({
    owner: 'shop',
    lifecycle: 'deprecated',
    tags: ['a', 'b'],
  })
  expect(factsOfInfo({ info: { 'x-owner': 1, 'x-lifecycle': 'soon', 'x-tags': 'a' } })).toEqual({})
  expect(factsOfInfo({ info: { 'x-owner': 'x'.repeat(201) } })).toEqual({})
  expect(factsOfInfo({})).toEqual({})
  expect(factsOfInfo(null)).toEqual({})
})
