import { expect, test } from 'bun:test'
import { findLinksAndSources } from '../../../src/document/links.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { walkReferences, type ReferenceReader } from '../../../src/document/referenced-documents.ts'

const files: Record<string, string> = {
  '/top/api.yaml':
    'openapi: 3.1.0\na: { $ref: "./b.yaml#/x" }\nb: { $ref: "https://elsewhere.test/c.yaml" }\nc: { $ref: # folded\n  "d.yaml" }\n',
  '/top/b.yaml': 'x: { $ref: "api.yaml" }\ny: { $ref: "../other/c.yaml" }\n',
  '/top/d.yaml': 'discriminator: { mapping: { cat: "e.yaml", dog: Dog } }\n',
  '/top/e.yaml': 'a: 1\n',
  '/other/c.yaml': 'x: { $ref: "gone.yaml" }\n',
}

const walked = async (source: string, rest: Partial<ReferenceReader> = {}) => {
  const asked: string[] = []
  const found = await walkReferences(parseDocument(files['/top/api.yaml'] ?? '', { source }), {
    holds: (place) => place.startsWith('/'),
    async read(wanted) {
      asked.push(...wanted.map(({ place }) => place))
      return wanted.map(({ place }) => files[place] ?? null)
    },
    most: 10,
    tooMany: ({ from, link }) => new Error(`${from.source} refers to ${link.ref}`),
    ...rest,
  })
  return { asked, found: found.map((it) => it.source) }
}

test('documents are read once, ring by ring, and what is not there is left out', async () => {
  expect(await walked('/top/api.yaml')).toEqual({
    asked: ['/top/b.yaml', '/top/d.yaml', '/other/c.yaml', '/top/e.yaml', '/other/gone.yaml'],
    found: ['/top/b.yaml', '/top/d.yaml', '/other/c.yaml', '/top/e.yaml'],
  })
})

test('a document that has only a name is read at its place, and the others get names beside it', async () => {
  expect(await walked('api.yaml', { place: '/top/api.yaml' })).toEqual({
    asked: ['/top/b.yaml', '/top/d.yaml', '/other/c.yaml', '/top/e.yaml', '/other/gone.yaml'],
    found: ['b.yaml', 'd.yaml', '../other/c.yaml', 'e.yaml'],
  })
})

test('one document too many is an error at its reference, never a silent end', async () => {
  expect(await walked('/top/api.yaml', { most: 1 }).catch(String)).toBe('Error: /top/api.yaml refers to d.yaml')
})

test('the sources of an Arazzo document are links where they are asked for', () => {
  const document = parseDocument(
    'arazzo: 1.0.1\ninfo: { title: t, version: "1" }\nsourceDescriptions:\n  - { name: a, url: ./api.yaml, type: openapi }\nworkflows: []\n',
    { source: 'w.yaml' },
  )
  expect(findLinksAndSources(document)).toEqual([
    { ref: './api.yaml', path: ['sourceDescriptions', 0, 'url'], base: '', isLoose: false },
  ])
})
