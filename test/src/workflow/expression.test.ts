import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { escapeToken } from '../../../src/kernel/pointer.ts'
import { parseExpression, piecesOf, type Expression } from '../../../src/workflow/expression.ts'

describe('runtime expressions of Arazzo 1.1', () => {
  test.each<[string, Expression]>([
    ['$url', { kind: 'url' }],
    ['$method', { kind: 'method' }],
    ['$statusCode', { kind: 'statusCode' }],
    ['$self', { kind: 'self' }],
    ['$request.header.accept', { kind: 'request', part: 'header', name: 'accept' }],
    ['$request.path.id', { kind: 'request', part: 'path', name: 'id' }],
    ['$request.query.a b', { kind: 'request', part: 'query', name: 'a b' }],
    ['$request.query.', { kind: 'request', part: 'query', name: '' }],
    ['$request.body#/user/uuid', { kind: 'request', part: 'body', pointer: ['user', 'uuid'] }],
    ['$response.body', { kind: 'response', part: 'body', pointer: [] }],
    ['$response.body#', { kind: 'response', part: 'body', pointer: [] }],
    ['$response.body#/a~1b/~0c/0', { kind: 'response', part: 'body', pointer: ['a/b', '~c', '0'] }],
    ['$response.body.items[0].id', { kind: 'response', part: 'body', pointer: ['items', '0', 'id'] }],
    ['$response.header.X-Rate-Limit', { kind: 'response', part: 'header', name: 'X-Rate-Limit' }],
    ['$message.payload#/status', { kind: 'message', part: 'payload', pointer: ['status'] }],
    ['$message.payload.orderId', { kind: 'message', part: 'payload', pointer: ['orderId'] }],
    ['$inputs.user.name', { kind: 'inputs', name: 'user.name', pointer: [] }],
    ['$inputs.user#/name', { kind: 'inputs', name: 'user', pointer: ['name'] }],
    ['$outputs.bar', { kind: 'outputs', name: 'bar', pointer: [] }],
    ['$steps.some-step.outputs.pets#/0/id', { kind: 'steps', step: 'some-step', output: 'pets', pointer: ['0', 'id'] }],
    [
      '$workflows.foo.inputs.username',
      { kind: 'workflows', workflow: 'foo', field: 'inputs', name: 'username', pointer: [] },
    ],
    [
      '$workflows.foo.outputs.mapped#/name',
      { kind: 'workflows', workflow: 'foo', field: 'outputs', name: 'mapped', pointer: ['name'] },
    ],
    ['$sourceDescriptions.shop.url', { kind: 'sourceDescriptions', source: 'shop', reference: 'url' }],
    [
      '$sourceDescriptions.shop.pets/list all',
      { kind: 'sourceDescriptions', source: 'shop', reference: 'pets/list all' },
    ],
    ['$components.parameters.a.b', { kind: 'components', type: 'parameters', name: 'a.b' }],
  ])('%s', (text, expected) => expect(parseExpression(text)).toEqual(expected))

  test.each([
    '',
    'url',
    '$',
    '$urls',
    '$statuscode',
    '$response',
    '$response.',
    '$response.bodyx',
    '$response.body/a',
    '$response.body#a',
    '$response.body#/a~2',
    '$response.body#/a{b}',
    '$request.header.a b',
    '$request.header.',
    '$inputs.',
    '$inputs.a b',
    '$steps.a.b',
    '$steps.a.b.outputs.c',
    '$steps..outputs.c',
    '$workflows.a.steps.b',
    '$sourceDescriptions.shop',
    '$sourceDescriptions.a b.c',
    '$components.schemas.a',
    '$components.parameters.a/b',
    '$request.query.a{b',
  ])('%s is none', (text) => expect(parseExpression(text)).toBeNull())

  test('what is written from an expression is read as that expression', () => {
    const strict = fc.stringMatching(/^[A-Za-z0-9_-]{1,8}$/)
    const identifier = fc.stringMatching(/^[A-Za-z0-9._-]{1,8}$/)
    const steps = fc.array(
      fc.string({ unit: 'binary', maxLength: 6 }).map((it) => it.replaceAll(/[{}]|[\ud800-\udfff]/g, '')),
      { maxLength: 3 },
    )
    const written = (pointer: readonly string[]): string =>
      pointer.length === 0 ? '' : `#${pointer.map((it) => `/${escapeToken(it)}`).join('')}`
    fc.assert(
      fc.property(strict, identifier, steps, (id, name, pointer) => {
        const behind = written(pointer)
        expect(parseExpression(`$steps.${id}.outputs.${name}${behind}`)).toEqual({
          kind: 'steps',
          step: id,
          output: name,
          pointer,
        })
        expect(parseExpression(`$inputs.${name}${behind}`)).toEqual({ kind: 'inputs', name, pointer })
        expect(parseExpression(`$response.body${behind}`)).toEqual({ kind: 'response', part: 'body', pointer })
        expect(parseExpression(`$workflows.${id}.outputs.${name}${behind}`)).toEqual({
          kind: 'workflows',
          workflow: id,
          field: 'outputs',
          name,
          pointer,
        })
      }),
    )
  })

  test('no text raises an error or takes long', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseExpression(`$${text}`)))
    const begun = performance.now()
    for (const part of ['a', '.', '[0]', '#', '/', '\\', '{$'])
      for (const start of ['$response.body', '$inputs.', '$steps.a.outputs.', '$request.query.'])
        void parseExpression(start + part.repeat(10_000))
    void piecesOf('{$'.repeat(10_000))
    expect(performance.now() - begun).toBeLessThan(2000)
  })
})

describe('expressions embedded in texts', () => {
  test('are divided from what is around them', () =>
    expect(piecesOf('https://{$inputs.host}/api/{$steps.create.outputs.id}/x')).toEqual([
      { literal: 'https://' },
      { text: '$inputs.host', expression: { kind: 'inputs', name: 'host', pointer: [] } },
      { literal: '/api/' },
      { text: '$steps.create.outputs.id', expression: { kind: 'steps', step: 'create', output: 'id', pointer: [] } },
      { literal: '/x' },
    ]))

  test('other braces stay', () => {
    expect(piecesOf('^2\\d{2}$')).toEqual([{ literal: '^2\\d{2}$' }])
    expect(piecesOf('{"a": {$nothing}}')).toEqual([{ literal: '{"a": {$nothing}}' }])
    expect(piecesOf('')).toEqual([])
  })

  test('put together again they are the text', () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom('{', '}', '$url', '{$url}', '$', 'a', '{$inputs.a}')), (parts) => {
        const text = parts.join('')
        expect(
          piecesOf(text)
            .map((it) => it.literal ?? `{${it.text}}`)
            .join(''),
        ).toBe(text)
      }),
    ))
})
