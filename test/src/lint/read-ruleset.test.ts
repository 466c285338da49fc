import { expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import { lint } from '../../../src/lint/lint.ts'
import { readRuleset } from '../../../src/lint/read-ruleset.ts'
import { selectRules } from '../../../src/lint/ruleset.ts'

const read = (text: string, others: Readonly<Record<string, string>> = {}) =>
  readRuleset(parseDocument(text, { source: 'rules.yaml' }), (name) =>
    Promise.resolve(others[name] === undefined ? null : { document: parseDocument(others[name], { source: name }) }),
  )

const faults = async (text: string, others = {}) =>
  (await read(text, others)).problems.map(
    ({ code, source, range }) => `${source}:${range.start.line + 1}:${range.start.character + 1} ${code}`,
  )

const api = 'openapi: 3.0.3\ninfo: { title: Api }\npaths: { /a: { get: {} } }\n'

async function findings(rules: string, others = {}, file = 'api.yaml', document = api) {
  const { guide, problems } = await read(rules, others)
  expect(problems).toEqual([])
  return lint(parseDocument(document, { source: file }), selectRules(guide, file)).findings.map(
    (it) => `${it.severity} ${it.code} ${it.pointer}: ${it.message}`,
  )
}

test('a rule of its own, with every placeholder', async () => {
  const rules = `rules:
  r:
    description: D
    message: '{{property}} | {{value}} | {{path}} | {{description}} | {{error}} | #{{print("property")}}'
    severity: 3
    given: $.info
    then: [{ field: title, function: pattern, functionOptions: { match: ^x } }, { field: license, function: truthy }]`
  expect(await findings(rules)).toEqual([
    'hint r /info: info.license | [object Object] | #/info | D | "info.license" property must be truthy | "info.license" property',
    'hint r /info/title: title | Api | #/info/title | D | "Api" must match the pattern "^x" | "title" property',
  ])
})

test('extends: everything, what is recommended, nothing; severities and switches', async () => {
  const codes = async (extend: string, rules = '{}') =>
    (await findings(`extends: ${extend}\nrules: ${rules}`)).map((it) => it.split(' ').slice(0, 2).join(' '))
  expect(await codes('[[spectral:oas, off]]')).toEqual([])
  expect(await codes('[[spectral:oas, off]]', '{ info-license: true, operation-tags: info }')).toEqual([
    'warning info-license',
    'info operation-tags',
  ])
  expect(await codes('spectral:oas')).not.toContain('warning info-license')
  expect(await codes('[[spectral:oas, all]]')).toContain('warning info-license')
  expect(await codes('spectral:oas', '{ info-contact: off }')).not.toContain('warning info-contact')
})

test('rulesets extend files, over and over, and circles end', async () => {
  const others = {
    './a.yaml': 'extends: [./b.yaml]\nrules: { a: { given: $, then: { field: x, function: truthy } } }',
    './b.yaml': 'extends: [./a.yaml]\nrules: { b: { given: $, then: { field: y, function: defined } } }',
  }
  expect(await findings('extends: ./a.yaml\nrules: { b: error }', others)).toEqual([
    'warning a : "x" property must be truthy',
    'error b : "y" property must be defined',
  ])
})

test('aliases: nested, by format, redefined by who extends', async () => {
  const rules = `aliases:
  Paths: ['$.paths']
  Operation: ['#Paths[*][get]']
  Version:
    targets:
      - { formats: [oas2], given: [$.swagger] }
      - { formats: [oas3.0], given: [$.openapi] }
rules:
  o: { given: '#Operation', then: { field: summary, function: truthy } }
  v: { given: '#Version', then: { function: undefined } }`
  expect(await findings(rules)).toEqual([
    'warning v /openapi: "openapi" property must be undefined',
    'warning o /paths/~1a/get: "get.summary" property must be truthy',
  ])
})

test('overrides by file and by pointer', async () => {
  const rules = `rules:
  t: { given: '$..title', then: { function: falsy } }
overrides:
  - files: ['old/*.yaml']
    rules: { t: off }
  - files: ['new/**/*.yaml#/info']
    rules: { t: error }`
  expect(await findings(rules)).toEqual(['warning t /info/title: "title" property must be falsy'])
  expect(await findings(rules, {}, 'old/api.yaml')).toEqual([])
  expect(await findings(rules, {}, 'new/v1/api.yaml')).toEqual(['error t /info/title: "title" property must be falsy'])
})

test('every fault has its place in the ruleset', async () => {
  const rules = `extends: nowhere.yaml
rules:
  bad-path:
    given: $.a[?(process.exit())]
    then: { function: truthy }
  bad-options:
    given: $
    then: { function: length, functionOptions: { min: '1' } }
  bad-pattern:
    given: $
    then: { function: pattern, functionOptions: { match: '(' } }
  bad-severity: { given: $, severity: fatal, then: { function: truthy } }
  unknown: true
  typo: { given: $, than: { function: truthy } }
formats: [oas9]`
  expect(await faults(rules)).toEqual([
    'rules.yaml:15:11 invalid-format',
    'rules.yaml:1:10 invalid-extend-definition',
    'rules.yaml:4:12 invalid-given-definition',
    'rules.yaml:8:55 invalid-function-options',
    'rules.yaml:11:58 invalid-function-options',
    'rules.yaml:12:39 invalid-severity',
    'rules.yaml:13:12 undefined-rule',
    'rules.yaml:14:27 invalid-rule-definition',
    'rules.yaml:14:9 invalid-rule-definition',
  ])
  expect(await faults('- 1')).toEqual(['rules.yaml:1:1 invalid-ruleset-definition'])
  expect(await faults('a: 1')).toEqual([
    'rules.yaml:1:1 invalid-ruleset-definition',
    'rules.yaml:1:4 invalid-ruleset-definition',
  ])
})

test('overrides as Spectral merges them: whole definitions over the ruleset, globs from its folder, pointers that wake a rule', async () => {
  const rules = `extends: [[spectral:oas, off]]
rules: { t: { given: $.info.title, then: { function: falsy } } }
overrides:
  - files: ['v2/**']
    rules: { s: { given: $.paths, then: { function: falsy } } }
  - files: ['**/b.yaml#/info']
    rules: { info-contact: hint }
except: { '#/paths': [t], 'v3/a.yaml#/info/title': [t] }`
  expect(await findings(rules, {}, './v2/a.yaml')).toEqual([
    'warning t /info/title: "title" property must be falsy',
    'warning s /paths: "paths" property must be falsy',
  ])
  expect(await findings(rules, {}, 'v1/b.yaml')).toEqual([
    'hint info-contact /info: Info object must have "contact" object.',
    'warning t /info/title: "title" property must be falsy',
  ])
  expect(await findings(rules, {}, 'v3/a.yaml')).toEqual([])
})

test('the parser: severities of repeated keys and of keys that are no texts; documents of no registered format', async () => {
  const told = async (options: string, document: string) => {
    const { guide } = await read(`formats: [oas3]\nparserOptions: ${options}\nrules: {}`)
    const parsed = parseDocument(document, { source: 'api.yaml' })
    return lint(parsed, selectRules(guide, 'api.yaml'), { guide: guide.options }).findings.map(
      ({ severity, code, pointer, message }) => `${severity} ${code} ${pointer} ${message}`,
    )
  }
  const text = 'openapi: 3.0.0\npaths: { /a: { 200: a, 200: b, ~: c } }\n'
  expect(await told('{}', text)).toEqual([
    'error parser /paths/~1a/200 Mapping key must be a string scalar rather than number',
    'error parser /paths/~1a/200 Duplicate key: 200',
    'error parser /paths/~1a/null Mapping key must be a string scalar rather than null',
  ])
  expect(await told('{ duplicateKeys: hint, incompatibleValues: off }', text)).toEqual([
    'hint parser /paths/~1a/200 Duplicate key: 200',
  ])
  expect(await told('{}', 'asyncapi: 2.0.0\n')).toEqual([
    'warning unrecognized-format  The provided document does not match any of the registered formats [OpenAPI 3.x]',
  ])
})

test('rules whose function does not run are skipped with the reason, and so are those of a ruleset that cannot be read', async () => {
  const rules = parseDocument(
    'extends: [own.js]\nfunctions: [mine]\nrules: { a: { given: $, then: { function: mine } }, b: { given: $, then: { function: truthy } }, c: error, d: off }',
    { source: 'rules.yaml' },
  )
  const { guide, problems } = await readRuleset(rules, async () => ({ refused: 'a program' }), {
    functions: async (names) => new Map(names.map(({ name }) => [name, `no ${name}`])),
  })
  expect(problems).toEqual([])
  const { skipped, rules: ran } = lint(parseDocument(api, { source: 'api.yaml' }), selectRules(guide, 'api.yaml'))
  expect(skipped).toEqual([
    { code: 'a', reason: 'no mine' },
    { code: 'c', reason: 'a program' },
  ])
  expect(ran.map(({ code }) => code)).toEqual(['b'])
})

test('what rulesets of other houses have beside the plain language loads as it is', async () => {
  const rules = `extends: [[spectral:oas2, off], [spectral:oas3, off]]
rules:
  long-gone: off
  tagged:
    x-tags: [metadata]
    type: style
    given: $.[info][?(@property == 'title')]]
    then: { function: falsy }`
  expect(await findings(rules)).toEqual(['warning tagged /info/title: "title" property must be falsy'])
})

test('a rule is skipped by name where its schema refers to nothing, or where Spectral has lost its function', async () => {
  const { guide, problems } = await read(`rules:
  elsewhere: { given: $, then: { function: schema, functionOptions: { schema: { $ref: ./hal.yaml } } } }
  nowhere:
    given: $
    then: { function: schema, functionOptions: { schema: { properties: { a: { $ref: '#/definitions/b' } } } } }
  lost: { given: $, then: { function: schemaPath, functionOptions: { field: example, schemaPath: $ } } }
  unresolved: { given: $.info, resolved: false, then: { function: schema, functionOptions: { schema: { $ref: '#/x' } } } }
  within:
    given: $.info.title
    then:
      function: schema
      functionOptions:
        schema:
          $id: https://example.test/title
          $ref: title#/definitions/short
          definitions: { short: { maxLength: 1, const: { $ref: '#/data' } } }`)
  expect(problems).toEqual([])
  const result = lint(parseDocument(api, { source: 'api.yaml' }), selectRules(guide, 'api.yaml'))
  expect(result.skipped).toEqual([
    {
      code: 'elsewhere',
      reason: 'cannot resolve the $ref "./hal.yaml" of its schema; include the target in the schema',
    },
    {
      code: 'nowhere',
      reason: 'cannot resolve the $ref "#/definitions/b" of its schema; include the target in the schema',
    },
    { code: 'lost', reason: 'Spectral removed the function "schemaPath" in version 6; use "schema"' },
  ])
  expect(result.findings.map(({ code, pointer, message }) => `${code} ${pointer} ${message}`)).toEqual([
    "unresolved /info can't resolve reference #/x from id #",
    'within /info/title "title" property must not have more than 1 characters',
  ])
})

test('behind a reference, a reference with siblings is replaced by its target; before it, it stays', async () => {
  const document = `paths: { /a: { get: { schema: { $ref: '#/components/A' } } } }
components:
  A: { properties: { sibX: { description: D, $ref: '#/components/B' } } }
  B: { type: object }
`
  const then = 'then: { function: pattern, functionOptions: { match: ^x, } }'
  const rules = `rules:
  behind: { message: M, given: '$.paths.*.*.schema.properties.*~', ${then} }
  before: { message: M, given: '$.components.A.properties.*~', ${then} }
  anywhere: { message: M, given: '$..properties.*~', ${then} }`
  expect(await findings(rules, {}, 'api.yaml', document)).toEqual([
    'warning anywhere /components/A/properties/sibX: M',
    'warning before /components/A/properties/sibX: M',
    'warning behind /components/B: M',
  ])
})

test('rulesets of JSON may have a comma at the end of a list, as YAML has it; what neither knows is a fault', async () => {
  const ruleset = (text: string) =>
    readRuleset(parseDocument(text, { source: 'rules.json' }), () => Promise.resolve(null))
  const good = await ruleset('{ "rules": { "r": { "given": "$", "then": { "function": "truthy", }, }, }, }')
  expect([good.problems, [...good.guide.entries.keys()]]).toEqual([[], ['r']])
  const bad = await ruleset('{ "rules": { "r": { "given": "$" "then": {} } } }')
  expect(bad.problems.map(({ source, range }) => [source, range.start])).toEqual([
    ['rules.json', { line: 0, character: 33 }],
  ])
})

test('a field without meaning in OpenAPI 3.1 is reported where Spectral reports it, once for its object; in 3.0 at itself', async () => {
  const rules = 'extends: [[spectral:oas, off]]\nrules: { oas3-schema: error }'
  const document = (version: string) => `openapi: ${version}\ninfo: { title: A, version: '1', a: 1, b: 2 }\npaths: {}\n`
  expect(await findings(rules, {}, 'api.yaml', document('3.1.0'))).toEqual([
    'error oas3-schema /info: "info" property must not have unevaluated properties.',
  ])
  expect(await findings(rules, {}, 'api.yaml', document('3.0.3'))).toEqual([
    'error oas3-schema /info/a: Unknown property "a" in Info Object (OpenAPI 3.0).',
    'error oas3-schema /info/b: Unknown property "b" in Info Object (OpenAPI 3.0).',
  ])
})

test('a mistyped rule names the one that was meant, also where it is turned off; a rule that is gone may be turned off', async () => {
  const said = async (rules: string) => {
    const document = parseDocument(`extends: spectral:oas\nrules: { ${rules} }\n`, { source: 'rules.yaml' })
    return (await readRuleset(document, () => Promise.resolve(null))).problems.map((it) => it.message)
  }
  const meant =
    'Cannot change the rule "operation-tagss": no ruleset in "extends" defines it; did you mean "operation-tags"?'
  expect(await said('operation-tagss: off')).toEqual([meant])
  expect(await said('operation-tagss: error')).toEqual([meant])
  expect(await said('operation-2xx-response: off, model-description: false')).toEqual([])
  expect(await said('model-description: warn')).toEqual([
    'Cannot change the rule "model-description": no ruleset in "extends" defines it.',
  ])
})

test('a ruleset that is a program may give its rules properties that only other programs read', async () => {
  const rules = { a: { given: '$', then: { function: 'truthy' }, guidelineCode: 'A-1' } }
  const problemsOf = async (source: string) => {
    const document = parseDocument(JSON.stringify({ rules }), { source, syntax: 'json' })
    const { guide, problems } = await readRuleset(document, () => Promise.resolve(null))
    return [
      Object.keys(selectRules(guide, 'x.yaml')),
      problems.map(({ severity, message }) => `${severity}: ${message}`),
    ]
  }
  const told = 'Unknown property "guidelineCode" in a rule.'
  expect(await problemsOf('rules.js')).toEqual([['a'], [`warning: ${told}`]])
  expect((await problemsOf('rules.json'))[1]).toEqual([`error: ${told}`])
})
