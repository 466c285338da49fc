/** svc.yaml: what it says for each API, and where it is wrong. */
import { expect, test } from 'bun:test'
import Ajv2020 from 'ajv/dist/2020'
import { parseDocument } from '../../../src/document/parse.ts'
import { readProjectFile } from '../../../src/project-file/read.ts'
import { projectFileSchema } from '../../../src/project-file/schema.ts'

const valid = new Ajv2020().compile(projectFileSchema())

const parse = (text: string) => parseDocument(text, { source: 'svc.yaml' })

const read = (text: string, profile: string | null = null) => {
  const { model, problems } = readProjectFile(parse(text), profile)
  expect(problems).toEqual([])
  expect(valid(parse(text).value)).toBe(true)
  return model!
}

/** The problems as "line:column message"; `bySchema` says whether the JSON Schema refuses the text as well. */
const refuse = (
  text: string,
  { profile = null, bySchema = true }: { profile?: string | null; bySchema?: boolean } = {},
) => {
  const { model, problems } = readProjectFile(parse(text), profile)
  expect(model).toBeNull()
  expect(valid(parse(text).value)).toBe(!bySchema)
  return problems.map(({ range: { start }, message }) => `${start.line + 1}:${start.character + 1} ${message}`)
}

const none = {
  guide: null,
  overrides: [],
  ignore: [],
  allowSkipped: [],
  failOn: 'error',
  minGrade: null,
  baseline: null,
  waivers: null,
  compareWith: null,
  diff: { config: null, failOn: 'breaking', profile: null, severity: {}, ignore: [], allowUnknown: false },
}

test('a path alone is an API', () => {
  expect(read('apis: {shop: api/openapi.yaml}')).toEqual({
    profile: null,
    profiles: [],
    defaults: none,
    apis: [
      {
        ...none,
        name: 'shop',
        root: 'api/openapi.yaml',
        rootAt: { line: 0, character: 13 },
        files: [],
        project: null,
        overlays: [],
      },
    ],
  } as never)
})

const whole = `
# yaml-language-server: $schema=svc.schema.json
version: 1
guide: .spectral.yaml
rules: { operation-tags: off, path-params: true }
ignore: [vendor/**]
failOn: error
compareWith: git:origin/main
diff: svc-diff.yaml
apis:
  shop:
    root: api/openapi.yaml
    files: [api/schemas/**]
    guide: svc:recommended
    project: shop
    minGrade: B
    baseline: api/baseline.json
    waivers: waivers.yaml
    compareWith: '@latest'
    ignore: [api/old.yaml]
    overrides:
      - { files: ['api/legacy/**', 'api/x.yaml#/paths'], rules: { operation-tags: warn } }
    diff:
      failOn: docs-only
      profile: strict
      severity: { operation-removed: non-breaking }
      ignore: [{ match: operation-removed, reason: gone, until: '2027-01-31' }]
      allowUnknown: true
  users@v2: { root: users.yaml }
profiles:
  ci:
    failOn: warning
    apis:
      shop: { failOn: none, compareWith: shop@1.0.0 }
`

test('overlays of an API are in their order, with their places', () => {
  const text = 'apis:\n  shop:\n    root: openapi.yaml\n    overlays: [one.yaml, two.yaml]\n'
  const { model } = readProjectFile(parseDocument(text, { source: 'svc.yaml' }), null)
  expect(model?.apis[0]?.overlays).toEqual([
    { path: 'one.yaml', at: { line: 3, character: 15 } },
    { path: 'two.yaml', at: { line: 3, character: 25 } },
  ])
})

test('what is said for an API is over what is said for all, lists are added', () => {
  const { defaults, apis, profiles } = read(whole)
  expect(profiles).toEqual(['ci'])
  const diff = {
    config: 'svc-diff.yaml',
    failOn: 'breaking',
    profile: null,
    severity: {},
    ignore: [],
    allowUnknown: false,
  }
  const common = {
    ...none,
    guide: '.spectral.yaml',
    overrides: [
      {
        files: ['**'],
        rules: { 'operation-tags': 'off', 'path-params': true },
        at: { 'operation-tags': { line: 4, character: 9 }, 'path-params': { line: 4, character: 30 } },
      },
    ],
    ignore: ['vendor/**'],
    allowSkipped: [],
    compareWith: { kind: 'git', revision: 'origin/main', path: null },
    diff,
  }
  expect(defaults).toEqual(common as never)
  expect(apis).toEqual([
    {
      ...common,
      name: 'shop',
      root: 'api/openapi.yaml',
      rootAt: { line: 11, character: 10 },
      files: ['api/schemas/**'],
      overlays: [],
      project: 'shop',
      guide: 'svc:recommended',
      overrides: [
        ...common.overrides,
        {
          files: ['api/legacy/**', 'api/x.yaml#/paths'],
          rules: { 'operation-tags': 'warning' },
          at: { 'operation-tags': { line: 21, character: 66 } },
        },
      ],
      ignore: ['vendor/**', 'api/old.yaml'],
      minGrade: 'B',
      baseline: 'api/baseline.json',
      waivers: 'waivers.yaml',
      compareWith: { kind: 'version', project: 'shop', version: 'latest' },
      diff: {
        config: 'svc-diff.yaml',
        failOn: 'docs-only',
        profile: 'strict',
        severity: { 'operation-removed': 'non-breaking' },
        ignore: [{ match: 'operation-removed', reason: 'gone', until: '2027-01-31' }],
        allowUnknown: true,
      },
    },
    {
      ...common,
      name: 'users@v2',
      root: 'users.yaml',
      rootAt: { line: 28, character: 20 },
      files: [],
      project: null,
      overlays: [],
    },
  ] as never)
})

test('a profile is over both, and what it says for one API over what it says for all', () => {
  const { profile, defaults, apis } = read(whole, 'ci')
  expect(profile).toBe('ci')
  expect(defaults.failOn).toBe('warning')
  expect(apis.map(({ name, failOn, compareWith }) => ({ name, failOn, compareWith }))).toEqual([
    { name: 'shop', failOn: 'none', compareWith: { kind: 'version', project: 'shop', version: '1.0.0' } },
    { name: 'users@v2', failOn: 'warning', compareWith: { kind: 'git', revision: 'origin/main', path: null } },
  ])
  expect(refuse(whole, { profile: 'cl', bySchema: false })).toEqual([
    '30:1 There is no profile "cl"; did you mean "ci"?',
  ])
  expect(refuse('apis: {a: a.yaml}', { profile: 'ci', bySchema: false })).toEqual([
    '1:1 There is no profile "ci"; the file has none',
  ])
})

test('what an API can be compared with', () => {
  const sides = (text: string) =>
    read(`apis: {a: {root: a.yaml, project: p, compareWith: "${text}"}}`).apis[0]?.compareWith
  expect(sides('none')).toBeNull()
  expect(sides('git:HEAD~1')).toEqual({ kind: 'git', revision: 'HEAD~1', path: null })
  expect(sides('git:v1.0:old/a.yaml')).toEqual({ kind: 'git', revision: 'v1.0', path: 'old/a.yaml' })
  expect(sides('main:old/a.yaml')).toEqual({ kind: 'git', revision: 'main', path: 'old/a.yaml' })
  expect(sides('@1.2')).toEqual({ kind: 'version', project: 'p', version: '1.2' })
  expect(sides('shop@latest')).toEqual({ kind: 'version', project: 'shop', version: 'latest' })
  expect(sides('old@1.yaml')).toEqual({ kind: 'file', path: 'old@1.yaml' })
  expect(sides('C:/old.yaml')).toEqual({ kind: 'file', path: 'C:/old.yaml' })
  expect(sides('https://example.com/a.yaml')).toEqual({ kind: 'address', url: 'https://example.com/a.yaml' })
})

test('the document of an API cannot be ignored, a place in it can', () => {
  expect(
    refuse(
      `ignore: ['old/**', '*.json', 'a.yaml#/paths']
apis:
  a: ./a.yaml
  b: { root: x/../old/b.yaml, ignore: [b.yaml] }
  c: { root: c.yaml, ignore: [a.yaml] }
profiles:
  ci: { ignore: ['#'], apis: { c: { ignore: ['[c].yaml', 'c.yaml#/info'] } } }
`,
      { bySchema: false },
    ),
  ).toEqual(
    [
      '1:10 "old/**" covers x/../old/b.yaml, the root of the API b',
      '4:40 "b.yaml" covers x/../old/b.yaml, the root of the API b',
      '7:18 "#" covers ./a.yaml, the root of the API a',
      '7:46 "[c].yaml" covers c.yaml, the root of the API c',
    ].map((it) => `${it}; name other files, a place in it (FILE#/POINTER), or remove the API`),
  )
})

test('everything that is wrong is named with its line and column', () => {
  expect(
    refuse(`versoin: 1
failOn: warnings
minGrade: [B]
apis:
  shop:
    gude: x
    root: ''
  bad name: x.yaml
  many: [a.yaml]
  users: {}
profiles: { ci: { fail-on: error } }
`),
  ).toEqual([
    '1:1 Unknown property "versoin"; did you mean "version"?',
    '2:9 failOn must be one of error, warning, info, hint, none, not "warnings"; did you mean "warning"?',
    '3:11 minGrade must be one of A, B, C, D, F, not ["B"]',
    '6:5 Unknown property "gude" in apis.shop; did you mean "guide"?',
    '7:11 apis.shop.root must not be empty',
    '8:3 "bad name" cannot be a name in apis: names have letters, digits and . _ - @, and begin with a letter or a digit',
    '9:9 apis.many must be a string or an object',
    '10:10 apis.users.root is missing',
    '11:19 Unknown property "fail-on" in profiles.ci; did you mean "failOn"?',
  ])
  expect(refuse('version: 2\napis: {a: a.yaml}')).toEqual(['1:10 version must be 1, not 2'])
  expect(refuse('guide: x')).toEqual(['1:1 apis is missing'])
  expect(refuse('[]')).toEqual(['1:1 The file must be an object'])
  expect(refuse('apis: {a: a.yaml}\nrules: {x: loud}')).toEqual([
    '2:12 rules.x must be one of error, warning, info, hint, warn, off, true, false, not "loud"',
  ])
  expect(refuse('apis: {a: a.yaml')).toEqual([
    '1:17 Invalid YAML: Flow map in block collection must be sufficiently indented and end with a }.',
  ])
})

test('what the JSON Schema cannot refuse is refused as well', () => {
  const wrong = (text: string) => refuse(text, { bySchema: false })
  expect(wrong('apis:\n  a: x/a.yaml\n  b: {root: ./x/a.yaml}')).toEqual([
    '3:13 "./x/a.yaml" is the root of a already; an API has one entry',
  ])
  expect(wrong('apis:\n  a: {root: a.yaml, compareWith: "@latest"}')).toEqual([
    '2:34 "@latest" is a version of the project of the API, but "project" is not set',
  ])
  expect(wrong('compareWith: "@latest"\napis:\n  a: a.yaml')).toEqual([
    '3:6 a is compared with @latest of its project, but "project" is not set; set it, or compareWith: none',
  ])
  expect(wrong('compareWith: old.yaml\napis: {a: a.yaml}')).toEqual([
    '1:14 "old.yaml" names one document, so it belongs to an API; for all APIs use git:REVISION or @VERSION',
  ])
  expect(wrong('compareWith: git:-x\napis: {a: a.yaml}')).toEqual(['1:14 "-x" is not a git revision'])
  expect(wrong('apis: {a: {root: a.yaml, compareWith: "ftp://x/y"}}')).toEqual([
    '1:39 "ftp://x/y": addresses begin with http:// or https://',
  ])
  expect(wrong('apis: {a: a.yaml}\nprofiles: {ci: {apis: {b: {failOn: none}}}}')).toEqual([
    '2:27 There is no API "b"; did you mean "a"?',
  ])
  expect(wrong('apis: {a: a.yaml}\nprofiles: {ci: {compareWith: "@latest"}}')).toEqual([
    '2:30 a is compared with @latest of its project, but "project" is not set for it',
  ])
  expect(
    wrong(
      'diff: {severity: {operation-remved: breaking}, ignore: [{match: x, reason: y, until: soon}]}\napis: {a: a.yaml}',
    ),
  ).toEqual([
    '1:37 there is no rule "operation-remved" for changes; did you mean operation-removed?',
    '1:86 "soon" must be a calendar date such as 2027-01-31',
  ])
})
