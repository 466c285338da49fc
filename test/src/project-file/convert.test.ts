/** Configurations of other tools become parts of a svc.yaml; what does not is named. */
import { expect, test } from 'bun:test'
import { parseDocument } from '../../../src/document/parse.ts'
import { rules } from '../../../src/lint/rules.gen.ts'
import { convertBuf } from '../../../src/project-file/convert/buf.ts'
import { convertOasdiff } from '../../../src/project-file/convert/oasdiff.ts'
import { convertRedocly } from '../../../src/project-file/convert/redocly.ts'
import { convertVacuum } from '../../../src/project-file/convert/vacuum.ts'

const value = (text: string) => parseDocument(text, { source: 'x.yaml' }).value
const known = { hasRule: (id: string): boolean => Object.hasOwn(rules, id) }

test('redocly.yaml: APIs, guides and rules by their names here', () => {
  const text = `extends: [recommended, ./shared.yaml]
apis:
  core@v2:
    root: ./openapi/openapi.yaml
    rules:
      no-path-trailing-slash: warn
      no-ambiguous-paths: error
  external@v1: { root: ./openapi/external.yaml, extends: [minimal], labels: [external], output: dist/x.yaml }
  rootless: {}
rules:
  operation-operationId-url-safe: error
  info-license: off
  no-unresolved-refs: off
  operation-singular-tag: { severity: warn, exceptions: 1 }
  rule/path-casing: { subject: { type: Path } }
  plugin/own: error
theme: { openapi: { hideLogo: true } }
decorators: { remove-x-internal: on }
`
  expect(convertRedocly(value(text), known)).toEqual({
    settings: {
      guide: 'svc:recommended',
      rules: {
        'operation-operationId-valid-in-url': 'error',
        'info-license': 'off',
        'operation-singular-tag': 'warning',
      },
    },
    apis: {
      'core@v2': { root: './openapi/openapi.yaml', rules: { 'path-keys-no-trailing-slash': 'warning' } },
      'external@v1': { root: './openapi/external.yaml', guide: 'svc:recommended' },
    },
    done: ['2 APIs', '4 rules'],
    left: [
      'extends: "./shared.yaml" is a configuration of Redocly CLI, which svc does not read',
      'rules.no-unresolved-refs: svc always reports references that cannot be resolved',
      'rules.operation-singular-tag: its options were not converted, only its severity',
      'rules.rule/path-casing: an assertion needs "subject" and "assertions"',
      'rules.plugin/own: a rule of a plugin; write it as a rule of a ruleset',
      'theme: documentation is not a setting of svc.yaml',
      'decorators: svc changes no documents while it checks them',
      'apis.core@v2.rules.no-ambiguous-paths: svc has no such rule',
      'apis.external@v1.labels: svc has no such setting',
      'apis.external@v1.output: svc bundle names its output',
      'apis.rootless: it has no root',
    ],
  })
  expect(convertRedocly(null, known)).toEqual({ settings: {}, apis: {}, done: [], left: [] })
})

test('vacuum.conf.yaml: the flags of all commands, those of lint over them', () => {
  const text = `ruleset: rules/all.yaml
min-score: 80
fail-severity: error
lint: { ruleset: rules/lint.yaml, fail-severity: warn, ignore-file: ignore.yaml, hard-mode: true }
`
  expect(convertVacuum(value(text))).toEqual({
    settings: { guide: 'rules/lint.yaml', failOn: 'warning' },
    apis: {},
    done: ['ruleset', 'fail-severity'],
    left: [
      'ruleset: it is read as a ruleset of Spectral. Rules that vacuum has by the names of Spectral may find other things there, its own are skipped by name, and "spectral:oas", which vacuum takes for vacuum:oas, is that of Spectral',
      'min-score: scores of svc are counted in another way; set minGrade',
      'ignore-file: write the known findings with "svc lint --write-baseline FILE" and set baseline',
      'hard-mode: svc has no such setting',
    ],
  })
  expect(convertVacuum(value('fail-severity: loud'))).toEqual({
    settings: {},
    apis: {},
    done: [],
    left: ['fail-severity: "loud" is not a severity'],
  })
})

test('oasdiff.yaml: its profile and its threshold', () => {
  const text = 'fail-on: WARN\nexclude-elements: [description]\nseverity-levels: levels.txt\nlang: en\n'
  expect(convertOasdiff(value(text))).toEqual({
    settings: { diff: { profile: 'oasdiff', failOn: 'breaking' } },
    apis: {},
    done: ['the profile of its severities', 'fail-on'],
    left: [
      'exclude-elements: documentation never breaks here; accept other changes as ignore below diff',
      'severity-levels: rules of svc have other names; write them as severity below diff ("svc diff --format json" shows the ids)',
      'lang: svc has no such setting',
    ],
  })
  expect(convertOasdiff(value('fail-on: NEVER')).left).toEqual(['fail-on: "NEVER" is not a level'])
})

test('buf.yaml: folders that are left out and have documents', () => {
  const text = `version: v2
modules: [{ path: proto, excludes: [proto/vendor] }]
lint: { use: [STANDARD], ignore: [third_party/, proto/foo] }
breaking: { use: [FILE] }
`
  const about = 'it is about Protocol Buffers, which svc does not read'
  expect(convertBuf(value(text), ['third_party/x/openapi.yaml', 'api.yaml'])).toEqual({
    settings: { ignore: ['third_party/**'] },
    apis: {},
    done: ['the folders that it leaves out'],
    left: [`modules: ${about}`, `lint: ${about}`, `breaking: ${about}`],
  })
  expect(convertBuf(value(text), ['api.yaml']).settings).toEqual({})
})
