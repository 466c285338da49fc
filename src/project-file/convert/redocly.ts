/** `redocly.yaml` of Redocly CLI. */
import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { plural } from '../../kernel/plural.ts'
import { textAt, textsOf, type Converted, type Known } from './converted.ts'
import { convertAssertion } from './redocly-assertions.ts'

/**
 * Rules of Redocly CLI with the rule of svc that has the same findings. Each is compared with recorded findings of Redocly CLI
 * by test/src/project-file/redocly.test.ts: without such a case, a rule is not taken over.
 */
export const sameRules: Readonly<Record<string, string>> = {
  'info-contact': 'info-contact',
  'info-license': 'info-license',
  'no-duplicated-tag-names': 'openapi-tags-uniqueness',
  'no-empty-servers': 'oas3-api-servers',
  'no-enum-type-mismatch': 'typed-enum',
  'no-path-trailing-slash': 'path-keys-no-trailing-slash',
  'no-server-trailing-slash': 'oas3-server-trailing-slash',
  'no-undefined-server-variable': 'oas3-server-variables',
  'operation-description': 'operation-description',
  'operation-operationId': 'operation-operationId',
  'operation-operationId-unique': 'operation-operationId-unique',
  'operation-operationId-url-safe': 'operation-operationId-valid-in-url',
  'operation-singular-tag': 'operation-singular-tag',
  'operation-summary': 'operation-summary',
  'parameter-description': 'oas3-parameter-description',
  'path-declaration-must-exist': 'path-declarations-must-exist',
  'path-not-include-query': 'path-not-include-query',
  'path-parameters-defined': 'path-params',
  struct: 'oas3-schema',
  'tag-description': 'tag-description',
}

/** Rules of Redocly CLI for which svc has a rule with other findings: what differs. */
export const differentRules: Readonly<Record<string, string>> = {
  'info-license-strict': 'license-url of svc reports a license with an identifier and no URL, too',
  'no-invalid-media-type-examples': 'oas3-valid-media-example of svc allows properties that the schema does not name',
  'no-invalid-schema-examples': 'oas3-valid-schema-example of svc checks defaults, too',
  'no-required-schema-properties-undefined':
    'oas-required-declared of svc does not report objects without any properties',
  'no-server-example.com': 'oas3-server-not-example.com of svc does not report localhost',
  'no-server-variables-empty-enum': 'oas3-server-variables of svc reports once for each variable',
  'no-unused-components': 'oas3-unused-component of svc does not report security schemes',
  'operation-2xx-response': 'operation-success-response of svc accepts 3xx and does not accept default',
  'operation-4xx-response': 'operation-4xx-response of svc accepts default',
  'operation-parameters-unique': 'operation-parameters of svc does not look at parameters of paths',
  'operation-tag-defined':
    'operation-tag-defined of svc reports tags that are not defined; operation-tags reports operations without tags',
  'security-defined':
    'oas3-operation-security-defined of svc reports unknown schemes; operation-security reports operations without security',
  'tags-alphabetical': 'openapi-tags-alphabetical of svc reports once for the list',
}

/** Rules whose findings svc reports whatever a guide says. */
const always = new Set(['no-unresolved-refs', 'spec-strict-refs'])

const levels: Readonly<Record<string, string>> = { error: 'error', warn: 'warning', off: 'off' }

const guides: Readonly<Record<string, string>> = {
  recommended: 'svc:recommended',
  'recommended-strict': 'svc:recommended',
  spec: 'svc:recommended',
  minimal: 'svc:recommended',
}

interface Rules {
  readonly rules: Readonly<Record<string, string>>
  /** Assertions as rules of a ruleset. */
  readonly own: JsonObject
  readonly left: readonly string[]
}

function readRules(value: Json | undefined, at: string, { hasRule }: Known): Rules {
  const rules: Record<string, string> = {}
  const own: Record<string, Json> = {}
  const left: string[] = []
  for (const [name, written] of Object.entries(isObject(value) ? value : {})) {
    const told = (reason: string): number => left.push(`${at}.${name}: ${reason}`)
    const severity = levels[String(isObject(written) ? (written.severity ?? 'error') : written)]
    const id = Object.hasOwn(sameRules, name) ? sameRules[name] : undefined
    const difference = Object.hasOwn(differentRules, name) ? differentRules[name] : undefined
    if (always.has(name)) {
      if (severity === 'off') told('svc always reports references that cannot be resolved')
    } else if (severity === 'off' && id === undefined) {
      // A team that wants none of its findings wants none of those of the rule of svc; the sentence begins with its name.
      const [near] = difference?.split(' ') ?? []
      if (near !== undefined && hasRule(near)) rules[near] = 'off'
    } else if (name.startsWith('rule/')) {
      // A ruleset is written once, for all APIs.
      const made =
        at === 'rules'
          ? convertAssertion(name, written)
          : 'write it below "rules" for all APIs, or as a rule of a ruleset'
      if (typeof made === 'string') told(made)
      else own[name.slice('rule/'.length)] = made
    } else if (name.includes('/')) told('a rule of a plugin; write it as a rule of a ruleset')
    else if (severity === undefined) told('its severity is not known')
    else if (difference !== undefined) told(`another meaning: ${difference}; set what you want below "rules"`)
    else if (id === undefined)
      told(hasRule(name) ? 'svc has a rule of this name, which may find other things' : 'svc has no such rule')
    else {
      rules[id] = severity
      if (isObject(written) && Object.keys(written).some((key) => key !== 'severity'))
        told('its options were not converted, only its severity')
    }
  }
  return { rules, own, left }
}

function readExtends(value: Json | undefined, at: string): { readonly guide: string | null; readonly left: string[] } {
  const names = textsOf(value)
  const known = names.findLast((it) => Object.hasOwn(guides, it))
  const left = names.flatMap((it) =>
    Object.hasOwn(guides, it) ? [] : [`${at}: "${it}" is a configuration of Redocly CLI, which svc does not read`],
  )
  return { guide: known === undefined ? null : (guides[known] ?? null), left }
}

const about: Readonly<Record<string, string>> = {
  decorators: 'svc changes no documents while it checks them',
  preprocessors: 'svc changes no documents while it checks them',
  plugins: 'svc runs JavaScript functions of Spectral rulesets, not plugins of Redocly CLI',
  theme: 'documentation is not a setting of svc.yaml',
  openapi: 'documentation is not a setting of svc.yaml',
  output: 'svc bundle names its output',
}

const handled = new Set(['apis', 'extends', 'rules', 'root', 'organization', '$schema'])

const leftOf = (value: JsonObject, at: string): string[] =>
  Object.keys(value)
    .filter((key) => !handled.has(key))
    .map((key) => `${at}${key}: ${about[key] ?? 'svc has no such setting'}`)

const assertionsFile = 'redocly-rules.yaml'

/** The part of a configuration that is the same for all APIs and for one. */
function readPart(value: JsonObject, at: string, known: Known) {
  const lists = ['rules', 'oas2Rules', 'oas3_0Rules', 'oas3_1Rules', 'oas3_2Rules', 'arazzo1Rules']
  const read = lists.map((key) => readRules(value[key], `${at}${key}`, known))
  const { guide, left } = readExtends(value.extends, `${at}extends`)
  const rules = Object.assign({}, ...read.map((it) => it.rules)) as Record<string, string>
  const others = leftOf(value, at).filter((it) => !lists.includes(it.slice(at.length).split(':')[0] ?? ''))
  const own = Object.assign({}, ...read.map((it) => it.own)) as JsonObject
  const hasOwn = Object.keys(own).length > 0
  const chosen = hasOwn ? assertionsFile : guide
  return {
    ruleset: hasOwn ? { extends: [guide ?? 'svc:recommended'], rules: own } : null,
    settings: {
      ...(chosen === null ? {} : { guide: chosen }),
      ...(Object.keys(rules).length === 0 ? {} : { rules }),
    } as JsonObject,
    count: Object.keys(rules).length,
    left: [...left, ...read.flatMap((it) => it.left), ...others],
  }
}

/** Converts a `redocly.yaml`: its APIs, its rules by their names here, and the guides of svc for its builtin ones. */
export function convertRedocly(value: Json, known: Known): Converted {
  const whole = isObject(value) ? value : {}
  const general = readPart(whole, '', known)
  const apis: Record<string, JsonObject> = {}
  const left = [...general.left]
  let count = general.count
  for (const [name, api] of Object.entries(isObject(whole.apis) ? whole.apis : {})) {
    const root = isObject(api) ? textAt(api, 'root') : null
    if (!isObject(api) || root === null) left.push(`apis.${name}: it has no root`)
    else {
      const part = readPart(api, `apis.${name}.`, known)
      apis[name] = { root, ...part.settings }
      left.push(...part.left)
      count += part.count
    }
  }
  const said = [plural(Object.keys(apis).length, 'API'), plural(count, 'rule')].filter((it) => !it.startsWith('0 '))
  return {
    settings: general.settings,
    apis,
    done: said,
    left,
    ...(general.ruleset === null ? {} : { ruleset: { file: assertionsFile, value: general.ruleset } }),
  }
}
