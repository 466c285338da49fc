import { describe, expect, test } from 'bun:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import fc from 'fast-check'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject, type Json, type JsonObject } from '../../../src/kernel/json.ts'
import { parseDocument } from '../../../src/document/parse.ts'
import { validateStructure } from '../../../src/document/validate/structure.ts'

const folder = join(import.meta.dir, '../../../node_modules/@readme/oas-examples')
const read = (name: string) => parseDocument(readFileSync(join(folder, name), 'utf8'), { source: name })

// The verdict of the official schemas. References are taken out first: that validator resolves them, ours does not.
const validator = new Validator()
const official = async (value: JsonObject): Promise<{ readonly valid: boolean; readonly why: string }> => {
  const { valid, errors } = await validator.validate(structuredClone(value))
  const why =
    typeof errors === 'string' ? errors : JSON.stringify(errors?.map((one) => `${one.instancePath} ${one.message}`))
  return { valid: valid || why.includes('resolve'), why }
}

// Swagger 2.0 requires "scopes" of a scheme of OAuth 2 (Security Scheme Object); its official schema does not.
const problems = (value: Json) => {
  const found = validateStructure(parseDocument(JSON.stringify(value), { source: 'a.json' }))
  const said = ({ path, message }: (typeof found)[number]) => `${path.join('/')}: ${message}`
  return { all: found.map(said), official: found.filter(({ code }) => code !== 'structure-scopes').map(said) }
}

// Booleans as exclusive bounds are no JSON Schema 2020-12; the official schema of 3.1 leaves schemas to a second one.
const badSchemas = /^3\.1\/.*\/schema-validation-(?:local|top-level)\./

describe('real documents get the verdict of the official schemas', () => {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort())
    if (/^[23].*\.(json|yaml)$/.test(name))
      test(name, async () => {
        const document = read(name)
        if (!isObject(document.value)) return
        const found = validateStructure(document)
        if (badSchemas.test(name))
          expect(new Set(found.map(({ path }) => path.at(-1)))).toEqual(
            new Set(['exclusiveMinimum', 'exclusiveMaximum']),
          )
        else expect(found.length === 0).toBe((await official(document.value)).valid)
      })
})

const samples = [
  '2.0/json/petstore.json',
  '3.0/json/petstore.json',
  '3.0/json/security.json',
  '3.0/json/callbacks.json',
  '3.0/json/parameters-style.json',
].filter((name) => {
  try {
    readFileSync(join(folder, name))
    return true
  } catch {
    return false
  }
})

test.each(samples)('damage to %s is seen as the official schemas see it', async (name) => {
  const whole = read(name).value
  const mutate = (value: Json, picks: Iterator<number>, action: number): Json => {
    const next = () => picks.next().value ?? 0
    if (typeof value !== 'object' || value === null) return [null, 7, 'text', true, [], {}][action % 6] as Json
    const keys = Object.keys(value)
    const key = keys[next() % Math.max(1, keys.length)]
    if (key === undefined) return { unknown: 1 }
    const stop = next() % 4 === 0
    if (Array.isArray(value)) {
      if (stop) return action % 2 === 0 ? [] : [...(value as Json[]), value[0] as Json]
      return (value as Json[]).map((item, index) => (String(index) === key ? mutate(item, picks, action) : item))
    }
    const map = value as { readonly [key: string]: Json }
    if (stop) {
      if (action % 3 === 0) return Object.fromEntries(Object.entries(map).filter(([one]) => one !== key))
      if (action % 3 === 1)
        return Object.fromEntries(Object.entries(map).map(([one, child]) => [one === key ? `${one}Z` : one, child]))
      // What is beside $ref is ignored (JSON Reference, section 3); the official schema of 2.0 refuses it in some places.
      return typeof map.$ref === 'string' ? map : { ...map, unknown: 1 }
    }
    return { ...map, [key]: mutate(map[key] as Json, picks, action) }
  }
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat(997)), fc.nat(5), async (picks, action) => {
      const value = mutate(whole, picks, action)
      // A mark of version that is gone or spoilt makes it another kind of document.
      if (!isObject(value) || !/^(?:3\.0\.\d|2\.0)$/.test(String(value.openapi ?? value.swagger))) return
      const found = problems(value)
      const { valid, why } = await official(value)
      expect(valid ? found.official : found.all.length === 0 ? [why] : []).toEqual([])
    }),
    { numRuns: 300 },
  )
})

describe('what is said, and where', () => {
  const said = (text: string) =>
    validateStructure(parseDocument(text, { source: 'a.yaml' })).map(
      ({ code, range, message }) => `${range.start.line + 1}:${range.start.character + 1} ${code} ${message}`,
    )

  test('OpenAPI', () => {
    expect(
      said(`openapi: 3.1.0
info: {title: 1}
paths:
  pets: {}
  /pets:
    get:
      sumary: x
      parameters:
        - {name: id, in: path, schema: {}, content: {}}
        - {name: id, in: cooky, schema: {}}
      responses:
        20: {description: ok}
components:
  schemas:
    a b: {type: strng}
`),
    ).toEqual([
      '2:7 structure-missing Missing required property "version" in Info Object.',
      '2:15 structure-type "title" must be a string, but is a number.',
      '4:3 structure-unknown-field The path "pets" must start with "/".',
      '7:7 structure-unknown-field Unknown property "sumary" in Operation Object; did you mean "summary"?',
      '9:53 structure-count "content" must have exactly 1 entry, but has 0.',
      '9:53 structure-rule Only one of "schema" or "content" can be used.',
      '9:11 structure-rule A path parameter must have "required: true".',
      '10:26 structure-value Unknown value "cooky" for "in"; did you mean "cookie"?',
      '12:9 structure-unknown-field "20" is not a status code; use a code such as "200", a pattern such as "2XX", or "default".',
      '12:9 structure-empty "responses" must have at least one entry.',
      '15:5 structure-name Invalid name "a b"; use only letters, digits, ".", "-" and "_".',
      '15:17 structure-value Unknown value "strng" for "type"; did you mean "string"?',
    ])
  })

  test('Arazzo', () => {
    expect(
      said(`arazzo: 1.0.1
info: {title: a, version: '1'}
sourceDescriptions:
  - {name: a b, url: x}
workflows:
  - workflowId: w
    steps:
      - {stepId: s}
      - {stepId: t, operationId: o, parameters: [{name: p, value: 1}]}
      - stepId: u
        workflowId: w
        onFailure: [{name: n, type: goto}, {reference: $components.failureActions.x, type: end}]
        successCriteria: [{condition: x, type: jsonpath}]
`),
    ).toEqual([
      '4:12 structure-value "name" must be a name of letters, digits, "-" and "_", but is "a b".',
      '8:9 structure-rule One of "operationId", "operationPath", "workflowId" is required.',
      '9:49 structure-rule "parameters[0]" requires "in", because the step calls an operation.',
      '12:21 structure-rule One of "workflowId" or "stepId" is required.',
      '12:92 structure-rule "type" is not allowed next to "reference"; only "value" is.',
      '13:48 structure-rule A criterion with "type" requires "context".',
    ])
  })

  test('Arazzo 1.1', () => {
    expect(
      said(`arazzo: 1.1.0
$self: https://example.com/flow.yaml#top
info: {title: a, version: '1'}
sourceDescriptions: [{name: a, url: x, type: asyncapi}]
workflows:
  - workflowId: w
    steps:
      - {stepId: s, channelPath: c}
      - {stepId: t, operationId: o, action: send, correlationId: 1, timeout: soon, dependsOn: [$steps.s]}
      - {stepId: u, workflowId: w, action: send}
      - stepId: v
        operationPath: p
        parameters: [{name: q, in: querystring, value: a=b}]
        requestBody: {replacements: [{target: $.a, targetSelectorType: jmespath, value: 1}]}
        outputs: {a b: $response.body, c: {context: $response.body, selector: $.a, type: {type: xpath, version: rfc9535}}}
        onSuccess: [{name: n, type: end, parameters: [{name: p, in: query, value: 1}]}]
`),
    ).toEqual([
      '2:8 structure-value "$self" must be a URI reference without a fragment, but is "https://example.com/flow.yaml#top".',
      '8:9 structure-rule A step with "channelPath" requires "action".',
      '9:78 structure-type "timeout" must be an integer, but is a string.',
      '9:96 structure-value "dependsOn[0]" must be a stepId, $workflows.WORKFLOW.steps.STEP or $sourceDescriptions.NAME.WORKFLOW.steps.STEP, but is "$steps.s".',
      '9:66 structure-rule A step with "correlationId" requires "action: receive".',
      '10:44 structure-rule "action" is for steps that send or receive messages, and cannot be used with "workflowId".',
      '14:72 structure-value Unknown value "jmespath" for "targetSelectorType"; did you mean "jsonpath"?',
      '15:19 structure-name Invalid name "a b"; use only letters, digits, ".", "-" and "_".',
      '15:113 structure-rule "version" must be "xpath-31" or "xpath-30" or "xpath-20" or "xpath-10".',
      '16:54 structure-rule "parameters" requires "workflowId".',
      '16:54 structure-rule "parameters[0]" must not have "in", because the action calls a workflow.',
    ])
  })

  test('a scheme of OAuth 2 in Swagger has scopes', () => {
    const scheme = '{ type: oauth2, flow: password, tokenUrl: https://a.example/token }'
    expect(
      said(`swagger: '2.0'
info: { title: T, version: '1' }
paths: {}
securityDefinitions:
  a: ${scheme}
  b: ${scheme.replace(' }', ', scopes: {} }')}
  c: { type: basic }
`),
    ).toEqual(['5:6 structure-scopes This security scheme requires "scopes"; write an empty object if there are none.'])
  })

  test('versions that are not known', () => {
    expect(said('openapi: 4.0.0')).toEqual([
      '1:10 structure-version Unsupported OpenAPI version 4.0.0; supported are 3.0, 3.1, 3.2.',
    ])
    expect(said('tools: []')).toEqual([])
  })
})

test('references to other documents are relative to the identifier above them', () => {
  const parse = (value: unknown, source: string) => parseDocument(JSON.stringify(value), { source })
  const entry = parse(
    {
      openapi: '3.1.0',
      info: { title: 'a', version: '1' },
      components: {
        schemas: {
          A: {
            $id: 'https://example.com/one/a.json',
            properties: { x: { $ref: 'x.json' }, y: { $ref: 'y.json#part' } },
          },
        },
      },
    },
    'api.json',
  )
  const bad = (property: string) => ({ properties: { [property]: { type: 'strin' } } })
  const documents = {
    'x.json': parse(bad('byName'), 'x.json'),
    'https://example.com/one/x.json': parse(bad('byIdentifier'), 'x-1.json'),
    'https://example.com/one/y.json': parse({ $defs: { part: { $anchor: 'part', ...bad('named') } } }, 'y-1.json'),
  }
  expect(
    validateStructure(entry, documents).map(({ document, path }) => `${document.source} ${path.join('/')}`),
  ).toEqual(['x-1.json properties/byIdentifier/type', 'y-1.json $defs/part/properties/named/type'])
})
