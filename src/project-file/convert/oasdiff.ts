/** `.oasdiff.yaml` and `oasdiff.yaml` of oasdiff: the flags of its commands by their names. */
import { isObject, type Json } from '../../kernel/json.ts'
import { textAt, type Converted } from './converted.ts'

const failing: Readonly<Record<string, string>> = { ERR: 'breaking', WARN: 'breaking', INFO: 'non-breaking' }

const about: Readonly<Record<string, string>> = {
  'severity-levels':
    'rules of svc have other names; write them as severity below diff ("svc diff --format json" shows the ids)',
  'err-ignore': 'write the accepted changes as ignore below diff, each with a reason',
  'warn-ignore': 'write the accepted changes as ignore below diff, each with a reason',
  'exclude-elements': 'documentation never breaks here; accept other changes as ignore below diff',
  'match-path': 'give --match-path to svc diff',
  'unmatch-path': 'give --match-path to svc diff',
  'deprecation-days-stable': 'svc evaluates the sunset of what is removed, not how long it was deprecated',
  'deprecation-days-beta': 'svc evaluates the sunset of what is removed, not how long it was deprecated',
  'flatten-allof': 'svc compares schemas by the values that they allow; allOf needs no flattening',
  'flatten-params': 'svc joins the parameters of paths and operations itself',
  format: 'give --format to svc diff',
  composed: 'svc diff compares two folders',
}

/** Converts a configuration of oasdiff: changes are evaluated by the profile with its severities. */
export function convertOasdiff(value: Json): Converted {
  const flags = isObject(value) ? value : {}
  const done = ['the profile of its severities']
  const left: string[] = []
  const diff: Record<string, Json> = { profile: 'oasdiff' }
  const level = textAt(flags, 'fail-on')
  const failOn = level === null ? undefined : failing[level.toUpperCase()]
  if (failOn !== undefined) {
    diff.failOn = failOn
    done.push('fail-on')
  } else if (level !== null) left.push(`fail-on: "${level}" is not a level`)
  for (const key of Object.keys(flags))
    if (key !== 'fail-on') left.push(`${key}: ${about[key] ?? 'svc has no such setting'}`)
  return { settings: { diff }, apis: {}, done, left }
}
