/** Assertions of Redocly CLI (`rule/NAME` in redocly.yaml) as rules of a ruleset: those whose findings are known to be the same. */
import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { textAt, textsOf } from './converted.ts'

const operations = '$.paths[*][get,put,post,delete,options,head,patch,trace]'

/** Where the objects of a type are in a description. */
const subjects: Readonly<Record<string, readonly string[]>> = {
  Root: ['$'],
  Info: ['$.info'],
  Contact: ['$.info.contact'],
  License: ['$.info.license'],
  Tag: ['$.tags[*]'],
  Server: ['$.servers[*]'],
  PathItem: ['$.paths[*]'],
  Operation: [operations],
  Parameter: [`${operations}.parameters[*]`, '$.paths[*].parameters[*]', '$.components.parameters[*]'],
  Response: [`${operations}.responses[*]`, '$.components.responses[*]'],
}

const casings: Readonly<Record<string, string>> = {
  camelCase: 'camel',
  'kebab-case': 'kebab',
  snake_case: 'snake',
  PascalCase: 'pascal',
  MACRO_CASE: 'macro',
  'COBOL-CASE': 'cobol',
  flatcase: 'flat',
}

type Call = { readonly function: string; readonly functionOptions?: JsonObject }

const call = (name: string, functionOptions?: JsonObject): Call =>
  functionOptions === undefined ? { function: name } : { function: name, functionOptions }

/** The functions of a ruleset for an assertion about the value of a property; null for one that is not converted. */
function callOf(name: string, wanted: Json): Call | null {
  const isNumber = typeof wanted === 'number'
  if (name === 'defined') return typeof wanted === 'boolean' ? call(wanted ? 'defined' : 'undefined') : null
  if (name === 'nonEmpty') return wanted === true ? call('truthy') : null
  if (name === 'minLength') return isNumber ? call('length', { min: wanted }) : null
  if (name === 'maxLength') return isNumber ? call('length', { max: wanted }) : null
  if (name === 'pattern') return typeof wanted === 'string' ? call('pattern', { match: wanted }) : null
  if (name === 'notPattern') return typeof wanted === 'string' ? call('pattern', { notMatch: wanted }) : null
  if (name === 'enum') return call('enumeration', { values: textsOf(wanted) })
  const type = name === 'casing' && typeof wanted === 'string' ? casings[wanted] : undefined
  return type === undefined ? null : call('casing', { type })
}

/** What is said of an object as a whole: properties that it must have, or must not have. */
function callsOfWhole(name: string, wanted: Json): readonly JsonObject[] | null {
  if (name !== 'required' && name !== 'disallowed') return null
  const run = name === 'required' ? 'defined' : 'undefined'
  return textsOf(wanted).map((field) => ({ field, function: run }))
}

const severities: Readonly<Record<string, string>> = { error: 'error', warn: 'warn', off: 'off' }

/**
 * The rule of a ruleset for an assertion.
 * @returns the reason where it is not converted
 */
export function convertAssertion(name: string, written: Json): JsonObject | string {
  if (!isObject(written) || !isObject(written.subject) || !isObject(written.assertions))
    return 'an assertion needs "subject" and "assertions"'
  if (written.where !== undefined) return '"where" of an assertion is not converted'
  const { subject } = written
  const type = textAt(subject, 'type')
  const given = type === null || !Object.hasOwn(subjects, type) ? undefined : subjects[type]
  if (given === undefined) return `objects of the type ${type ?? 'that it names'} are not converted`
  const unread = Object.keys(subject).find((it) => it !== 'type' && it !== 'property')
  if (unread !== undefined) return `"${unread}" of its subject is not converted`
  const fields = textsOf(subject.property)
  const then: JsonObject[] = []
  for (const [assertion, wanted] of Object.entries(written.assertions)) {
    const one = fields.length === 0 ? null : callOf(assertion, wanted)
    const whole = fields.length === 0 ? callsOfWhole(assertion, wanted) : null
    if (one !== null) then.push(...fields.map((field): JsonObject => ({ field, ...one })))
    else if (whole !== null) then.push(...whole)
    else return `its assertion "${assertion}" is not converted`
  }
  const message = textAt(written, 'message')
  return {
    description: message === null || message.includes('{{') ? `Assertion ${name} of redocly.yaml.` : message,
    severity: severities[String(written.severity ?? 'error')] ?? 'error',
    given: [...given],
    then,
  }
}
