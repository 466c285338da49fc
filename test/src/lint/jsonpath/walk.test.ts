import { describe, expect, test } from 'bun:test'
import type { Json } from '../../../../src/document/json.ts'
import { formatPointer } from '../../../../src/document/pointer.ts'
import { parsePath, PathError } from '../../../../src/lint/jsonpath/path.ts'
import { PathWalk } from '../../../../src/lint/jsonpath/walk.ts'

const document: Json = {
  info: { title: 'x', contact: null },
  paths: {
    '/a': { get: { tags: ['one', 'two'], summary: 's' }, 'x-note': 1 },
    '/b': {
      post: { deprecated: true },
      parameters: [
        { name: 'p', in: 'query' },
        { name: 'q', in: 'path' },
      ],
    },
  },
  list: [1, 2, 3, 4],
}

const found = (text: string): string[] => {
  const out: string[] = []
  new PathWalk([parsePath(text)]).run(
    document,
    () => null,
    (_, { path, key }) => out.push(formatPointer(path) + (key === null ? '' : `~${key}`)),
  )
  return out
}

describe('JSONPath', () => {
  const cases: [string, string[]][] = [
    ['$', ['']],
    ['$.info.title', ['/info/title']],
    ["$['info']['title']", ['/info/title']],
    ['$.info[title,contact]', ['/info/title', '/info/contact']],
    ['$.paths[*][get,post]', ['/paths/~1a/get', '/paths/~1b/post']],
    ['$.paths.*~', ['/paths/~1a~/a', '/paths/~1b~/b']],
    ['$.paths[*].get^', ['/paths/~1a']],
    ['$..tags[1]', ['/paths/~1a/get/tags/1']],
    ['$..[?(@ && @.in)]', ['/paths/~1b/parameters/0', '/paths/~1b/parameters/1']],
    ['$.paths[*][?(@property.match(/^x-/))]', ['/paths/~1a/x-note']],
    ["$.paths[*].parameters[?(@.in == 'path' && @.name === 'q')]", ['/paths/~1b/parameters/1']],
    ['$.list[-1]', ['/list/3']],
    ['$.list[1:3]', ['/list/1', '/list/2']],
    ['$.list[?(@ > 2)]', ['/list/2', '/list/3']],
    ["$.paths[?(@property === '/b')]", ['/paths/~1b']],
    ["$..[?(@.constructor.name === 'Array')]", ['/paths/~1a/get/tags', '/paths/~1b/parameters', '/list']],
    ['$.info[?(@ === void 0)]', []],
    ["$.paths[*][?(@.deprecated && ['/b'].includes(@parentProperty))]", ['/paths/~1b/post']],
    ["$.paths[?(@path === \"$['paths']['/a']\")]", ['/paths/~1a']],
    ['$.info.contact[?(@.name)]', []],
    ['$.nothing.at.all', []],
  ]
  for (const [path, expected] of cases) test(path, () => expect(found(path)).toEqual(expected))

  test('what is no path or no expression is refused with its place', () => {
    const refusal = (text: string) => {
      try {
        parsePath(text)
        return null
      } catch (error) {
        if (!(error instanceof PathError)) throw error
        return [error.message, error.offset]
      }
    }
    expect(refusal('info')).toEqual(['a path begins with "$"', 0])
    expect(refusal('$.a[b')).toEqual(['a bracket is not closed', 3])
    expect(refusal('$.a[?(process.exit())]')).toEqual(['"process" is no value', 6])
    expect(refusal("$.a[?(@.constructor.constructor('x')())]")).toEqual(['only ".constructor.name" is known', 8])
    expect(refusal('$.a[?(@.b.eval(1))]')).toEqual(['there is no method "eval"', 10])
  })

  test('references are followed as a graph: cycles end and a shared node is visited once for each state', () => {
    const shared = { type: 'array', self: {} as Json }
    const target = { value: shared, path: ['shared'] }
    const root: Json = { a: { $ref: '#' }, b: { $ref: '#' }, shared }
    shared.self = root.a as Json
    const paths: string[] = []
    new PathWalk([parsePath('$..type')]).run(
      root,
      (node) => ('$ref' in node ? target : null),
      (_, { path }) => paths.push(formatPointer(path)),
    )
    expect(paths).toEqual(['/shared/type'])
  })
})
