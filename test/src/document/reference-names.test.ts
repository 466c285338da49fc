import { expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import { joinPath, referenceNames } from '../../../src/document/reference-names.ts'
import { walkReferences } from '../../../src/document/referenced-documents.ts'

const named = (source: string, ref: string): string[] =>
  referenceNames(source, ref).map(({ name, fragment }) => (fragment === '' ? name : `${name} # ${fragment}`))

test('a path is joined to the file that names it, and never leaves the top of a rooted one', () => {
  const cases: readonly (readonly [source: string, path: string, joined: string])[] = [
    ['api.yaml', 'parts/a.yaml', 'parts/a.yaml'],
    ['api.yaml', './parts//a.yaml', 'parts/a.yaml'],
    ['apis/api.yaml', '../a.yaml', 'a.yaml'],
    ['api.yaml', '../a.yaml', '../a.yaml'],
    ['../api.yaml', '../a.yaml', '../../a.yaml'],
    ['/api.yaml', '../../a.yaml', '/a.yaml'],
    ['/top/api.yaml', '../a.yaml', '/a.yaml'],
    ['/top/api.yaml', '/a.yaml', '/a.yaml'],
    ['c:/top/api.yaml', '..\\a.yaml', 'c:/a.yaml'],
    ['c:/top/api.yaml', '../../../a.yaml', 'c:/a.yaml'],
    ['', 'a.yaml', 'a.yaml'],
    ['a b/api%.yaml', 'c.yaml', 'a b/c.yaml'],
  ]
  expect(cases.map(([source, path]) => joinPath(source, path))).toEqual(cases.map(([, , joined]) => joined))
})

test('a reference is a name with its percent signs decoded; after that the name as it is written', () => {
  expect(named('api.yaml', 'a%20b.yaml#/x')).toEqual(['a b.yaml # /x', 'a%20b.yaml # /x'])
  expect(named('api.yaml', 'a b.yaml')).toEqual(['a b.yaml'])
  expect(named('api.yaml', '100%.yaml')).toEqual(['100%.yaml'])
  expect(named('api.yaml', 'a?b=c.yaml#/x')).toEqual(['a?b=c.yaml # /x', 'a # /x'])
  expect(named('api.yaml', 'a%3Fb.yaml')).toEqual(['a?b.yaml', 'a%3Fb.yaml'])
  expect(named('api.yaml', 'a#b.yaml#/x')).toEqual(['a # b.yaml#/x', 'a#b.yaml # /x'])
  expect(named('api.yaml', 'a.yaml#anchor')).toEqual(['a.yaml # anchor'])
})

test('addresses are joined as RFC 3986 has it, and a file address is a path beside files alone', () => {
  expect(named('https://example.com/v1/api.yaml?x=1', 'a%20b.yaml?y#/x')).toEqual([
    'https://example.com/v1/a%20b.yaml?y # /x',
  ])
  expect(named('api.yaml', 'https://example.com/a.yaml#/x')).toEqual(['https://example.com/a.yaml # /x'])
  expect(named('/top/api.yaml', 'file:///other/a%20b.yaml')).toEqual(['/other/a b.yaml'])
  expect(named('https://example.com/api.yaml', 'file:///etc/passwd')).toEqual(['file:///etc/passwd'])
})

const reached = async (files: Readonly<Record<string, string>>): Promise<readonly (readonly [string, unknown])[]> => {
  const asked: string[] = []
  const found = await walkReferences(parseDocument(files['api.yaml'] ?? '', { source: 'api.yaml' }), {
    holds: () => true,
    async read(wanted) {
      asked.push(...wanted.map(({ name, isGuess }) => `${name}${isGuess ? '?' : ''}`))
      return wanted.map(({ name }) => files[name] ?? null)
    },
    most: 10,
    tooMany: () => new Error('too many'),
  })
  return [...found.map(({ source, value }) => [source, value] as const), ['asked', asked]]
}

test('the first name that exists is meant; where none does, the first is what is missing', async () => {
  expect(
    await reached({
      'api.yaml': 'a: { $ref: "r?x=1.yaml" }\nb: { $ref: "s?x.yaml" }\nc: { $ref: "gone?x.yaml" }\n',
      'r?x=1.yaml': 'r: 1',
      s: 's: 1',
    }),
  ).toEqual([
    ['r?x=1.yaml', { r: 1 }],
    ['s', { s: 1 }],
    ['asked', ['r?x=1.yaml?', 's?x.yaml?', 'gone?x.yaml?', 's?', 'gone?', 'gone?x.yaml']],
  ])
})

test('references in data, in the place of texts and of lists are followed, addresses in data are not; prose is a text', async () => {
  expect(
    await reached({
      'api.yaml': `openapi: 3.0.3
info: { title: A, version: '1', description: { $ref: intro.md } }
x-samples: [{ source: { $ref: call.sh } }, { $ref: 'https://example.com/x.yaml' }]
paths:
  /a:
    get: { $ref: get.yaml }
    post: { requestBody: { content: { a/b: { example: { $ref: example.json } } } }, parameters: { $ref: list.yaml } }
components: { schemas: { A: { properties: { $ref: properties.yaml } } } }
`,
      'intro.md': '# Title\n\nNote: a text\n',
      'call.sh': 'curl -X POST\n',
      'get.yaml': 'summary: s',
      'example.json': '{"a": 1}',
      'list.yaml': '[]',
      'properties.yaml': 'a: { type: string }',
    }),
  ).toEqual([
    ['intro.md', '# Title\n\nNote: a text\n'],
    ['get.yaml', { summary: 's' }],
    ['call.sh', 'curl -X POST\n'],
    ['example.json', { a: 1 }],
    ['list.yaml', []],
    ['properties.yaml', { a: { type: 'string' } }],
    ['asked', ['intro.md', 'get.yaml', 'call.sh', 'example.json', 'list.yaml', 'properties.yaml']],
  ])
})
