/** `redocly.yaml` of Redocly CLI. */
import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { plural } from '../../kernel/plural.ts'
import { textAt, textsOf, type Converted, type Known } from './converted.ts'

/** Rules of Redocly CLI that have another name here. */
const renamed: Readonly<Record<string, string>> = {
  'operation-operationId-url-safe': 'operation-operationId-valid-in-url',
  'operation-2xx-response': 'operation-success-response',
  'operation-parameters-unique': 'operation-parameters',
  'no-path-trailing-slash': 'path-keys-no-trailing-slash',
  'path-declaration-must-exist': 'path-declarations-must-exist',
  'path-parameters-defined': 'path-params',
  'info-license-url': 'license-url',
  'info-license-strict': 'license-url',
  'tags-alphabetical': 'openapi-tags-alphabetical',
  'no-duplicated-tag-names': 'openapi-tags-uniqueness',
  'no-empty-servers': 'oas3-api-servers',
  'no-server-example.com': 'oas3-server-not-example.com',
  'no-server-trailing-slash': 'oas3-server-trailing-slash',
  'no-server-variables-empty-enum': 'oas3-server-variables',
  'no-undefined-server-variable': 'oas3-server-variables',
  'no-unused-components': 'oas3-unused-component',
  'no-enum-type-mismatch': 'typed-enum',
  'no-example-value-and-external-value': 'oas3-examples-value-or-externalValue',
  'no-invalid-media-type-examples': 'oas3-valid-media-example',
  'no-invalid-schema-examples': 'oas3-valid-schema-example',
  'no-required-schema-properties-undefined': 'oas-required-declared',
  'parameter-description': 'oas3-parameter-description',
  'security-defined': 'oas3-operation-security-defined',
  'spec-querystring-parameters': 'oas3_2-querystring',
  struct: 'oas3-schema',
  spec: 'oas3-schema',
  'sourceDescriptions-type': 'arazzo-source-descriptions-type',
  'workflowId-unique': 'arazzo-workflowId-unique',
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
  readonly left: readonly string[]
}

function readRules(value: Json | undefined, at: string, { hasRule }: Known): Rules {
  const rules: Record<string, string> = {}
  const left: string[] = []
  for (const [name, written] of Object.entries(isObject(value) ? value : {})) {
    const told = (reason: string): number => left.push(`${at}.${name}: ${reason}`)
    const severity = levels[String(isObject(written) ? (written.severity ?? 'error') : written)]
    const id = renamed[name] ?? name
    if (always.has(name)) {
      if (severity === 'off') told('svc always reports references that cannot be resolved')
    } else if (name.includes('/')) told('a rule of a plugin or an assertion; write it as a rule of a Spectral ruleset')
    else if (severity === undefined) told('its severity is not known')
    else if (!hasRule(id)) told('svc has no such rule')
    else {
      rules[id] = severity
      if (isObject(written) && Object.keys(written).some((key) => key !== 'severity'))
        told('its options were not converted, only its severity')
    }
  }
  return { rules, left }
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

/** The part of a configuration that is the same for all APIs and for one. */
function readPart(value: JsonObject, at: string, known: Known) {
  const lists = ['rules', 'oas2Rules', 'oas3_0Rules', 'oas3_1Rules', 'oas3_2Rules', 'arazzo1Rules']
  const read = lists.map((key) => readRules(value[key], `${at}${key}`, known))
  const { guide, left } = readExtends(value.extends, `${at}extends`)
  const rules = Object.assign({}, ...read.map((it) => it.rules)) as Record<string, string>
  const others = leftOf(value, at).filter((it) => !lists.includes(it.slice(at.length).split(':')[0] ?? ''))
  return {
    settings: {
      ...(guide === null ? {} : { guide }),
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
  return { settings: general.settings, apis, done: said, left }
}
