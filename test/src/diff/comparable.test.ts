import { describe, expect, test } from 'bun:test'
import { assertComparable } from '../../../src/diff/comparable.ts'
import type { Mode } from '../../../src/diff/options.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { SvcError } from '../../../src/errors.ts'

const read = (text: string, source: string) => parseDocument(text, { source })

/** "ok", or the code and the message of the refusal. */
const verdict = (base: string, head: string, mode?: Mode): string => {
  try {
    assertComparable(read(base, 'a.yaml'), read(head, 'b.yaml'), mode)
    return 'ok'
  } catch (thrown) {
    if (!(thrown instanceof SvcError)) throw thrown
    return `${thrown.code}: ${thrown.message}`
  }
}

const openapi = 'openapi: 3.1.0\ninfo: {title: T, version: "1"}\npaths: {}\n'
const other = 'is not an API description (OpenAPI, Swagger, Arazzo, MCP) or a JSON Schema'

describe('what can be compared', () => {
  test('two API descriptions, two schemas', () => {
    const pairs: [string, string][] = [
      [openapi, openapi],
      ['swagger: "2.0"\npaths: {}', openapi],
      ['{"type":"string"}', '{"type":"string","minLength":1}'],
      ['{"minLength":3}', '{}'],
      ['true', '{"const":1}'],
      ['{"$defs":{"A":{"type":"string"}}}', '{"$defs":{}}'],
      ['{"type":"string","markdownDescription":"x"}', '{"type":"string"}'],
      ['{"enum":["a"],"x-note":1}', '{"enum":["a","b"]}'],
    ]
    expect(pairs.map(([a, b]) => verdict(a, b))).toEqual(pairs.map(() => 'ok'))
  })

  test('anything else is refused by its name, on either side', () => {
    const refusal = (name: string, more = ''): string => `document-invalid: Invalid document: ${name} ${other}${more}.`
    const foreign: [string, string][] = [
      ['hello', ''],
      ['[1, 2]', ''],
      ['{"name":"x","version":"1.0.0","dependencies":{"a":"1"}}', ''],
      ['{"name":"x","type":"module"}', ''],
      ['opnapi: 3.0.0\ninfo: {title: T, version: "1"}\npaths: {}', '; did you mean "openapi" instead of "opnapi"?'],
      ['swager: "2.0"\npaths: {}\ndefinitions: {A: {type: string}}', '; did you mean "swagger" instead of "swager"?'],
      [
        'asyncapi: 3.0.0\nchannels: {}',
        ': it is AsyncAPI 3.0.0: svc has no rules for it; "svc lint --guide" applies a ruleset of yours, and "svc overlay apply" changes it',
      ],
      ['openapi: three\npaths: {}', ': "openapi" must be a version such as "3.1.0", but is "three"'],
      ['kind: Deployment\nmetadata: {name: x}', ''],
      ['type: strng', ''],
      ['"just a text"', ''],
      ['12', ''],
    ]
    for (const [text, more] of foreign) {
      expect(verdict(text, text)).toBe(refusal('a.yaml', more).replace(/\?\.$/, '?.'))
      expect(verdict(openapi, text)).toBe(refusal('b.yaml', more))
      expect(verdict(text, openapi)).toBe(refusal('a.yaml', more))
      // The mode forces schemas, and not everything is one.
      expect(verdict(text, text, 'backward')).toBe(refusal('a.yaml', more))
    }
  })

  test('two texts that could mean anything are schemas where the caller says so', () => {
    expect(verdict('{}', '{}')).toBe(`document-invalid: Invalid document: a.yaml ${other}.`)
    expect(verdict('true', '{}')).toBe(`document-invalid: Invalid document: a.yaml ${other}.`)
    expect(verdict('true', '{}', 'forward')).toBe('ok')
  })

  test('a version that is not known is refused', () => {
    expect(verdict('openapi: 4.0.0\npaths: {}', openapi)).toBe(
      'document-invalid: Invalid document: a.yaml is written in version 4.0, which is not supported; OpenAPI 3.0 to 3.2 and Swagger 2.0 are.',
    )
    expect(verdict(openapi, 'swagger: "1.2"\npaths: {}')).toBe(
      'document-invalid: Invalid document: b.yaml is written in version 1.2, which is not supported; OpenAPI 3.0 to 3.2 and Swagger 2.0 are.',
    )
  })

  test('a text of several documents is refused, an end marker is not a document', () => {
    const several = 'holds several YAML documents; compare them one by one, each in a file of its own'
    expect(verdict(`${openapi}---\n${openapi}`, openapi)).toBe(`document-invalid: Invalid document: a.yaml ${several}.`)
    expect(verdict(openapi, `---\n${openapi}---\n${openapi}`)).toBe(
      `document-invalid: Invalid document: b.yaml ${several}.`,
    )
    expect(verdict(`---\n${openapi}---\n`, `${openapi}...\n`)).toBe('ok')
  })

  test('backward is what the comparison of API descriptions asks anyway, the other modes have no meaning there', () => {
    expect(verdict(openapi, openapi, 'backward')).toBe('ok')
    const refusal = (mode: string): string =>
      `usage: The mode "${mode}" is for JSON Schemas, and a.yaml is an API description. Without a mode the comparison checks that clients of the base work with the head; swap the two sides to check that clients of the head work with the base`
    expect(verdict(openapi, openapi, 'forward')).toBe(refusal('forward'))
    expect(verdict(openapi, openapi, 'full')).toBe(refusal('full'))
  })
})
