import { expect, test } from 'bun:test'
import { kindOf } from '../../../server/hosting/file-kind.ts'
import { isLfsPointer } from '../../../server/hosting/lfs.ts'
import { likelihoodOf, mayBeDocument } from '../../../server/hosting/likelihood.ts'
import { marksOf } from '../../../server/hosting/vendored.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const kind = (text: string, path = 'api.yaml') => kindOf(path, bytesOf(text))

test('a file is what its import would find', () => {
  expect(kind('"openapi": "3.0.3"\ninfo: {}\n')).toBe('openapi')
  expect(kind("'openapi': '3.1.0'\n")).toBe('openapi')
  expect(kind('{openapi: 3.1.0, info: {}}')).toBe('openapi')
  expect(kind('{swagger: "2.0"}')).toBe('swagger')
  expect(kind('"arazzo": 1.0.1\n')).toBe('arazzo')
  expect(kind('"$schema": https://json-schema.org/draft/2020-12/schema\n')).toBe('json-schema')
  expect(kind('{"name":"x","remotes":[{"url":"https://x"}]}', 'server.json')).toBe('mcp')
  expect(kind('{asyncapi: 3.0.0}')).toBe('asyncapi')
  expect(kind('{type: object}', 'pet.schema.yaml')).toBe('json-schema')
})

test('other files are nothing', () => {
  expect(kind('{type: object}', 'pet.yaml')).toBeNull()
  expect(kind('[{name: a, description: b}]')).toBeNull()
  expect(kind('title: x\n')).toBeNull()
  expect(kind('')).toBeNull()
})

test('names say how likely a file is a document, and whose it is', () => {
  expect(['openapi.yaml', 'api.json', 'specs/x.yml', 'x.yml'].map(likelihoodOf)).toEqual([3, 2, 2, 1])
  expect(['a.yaml', 'a.txt', 'package.json', 'bitbucket-pipelines.yml', '.x.yml'].map(mayBeDocument)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ])
  expect(marksOf('vendor/a.yaml')).toEqual({ vendored: true, hidden: false })
  expect(marksOf('.github/a.yaml')).toEqual({ vendored: false, hidden: true })
  expect(isLfsPointer(bytesOf('version https://git-lfs.github.com/spec/v1\n'))).toBe(true)
  expect(isLfsPointer(bytesOf('version'))).toBe(false)
})
