/** `vacuum.conf.yaml` of vacuum: the flags of its commands by their names. */
import { isObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { textAt, type Converted } from './converted.ts'

const severities: Readonly<Record<string, string>> = {
  error: 'error',
  warn: 'warning',
  warning: 'warning',
  info: 'info',
  hint: 'hint',
  none: 'none',
}

/** What is said of a ruleset: no findings of vacuum were compared. */
const ofRuleset =
  'ruleset: it is read as a ruleset of Spectral. Rules that vacuum has by the names of Spectral may find other things there, its own are skipped by name, and "spectral:oas", which vacuum takes for vacuum:oas, is that of Spectral'

const about: Readonly<Record<string, string>> = {
  'min-score': 'scores of svc are counted in another way; set minGrade',
  'ignore-file': 'write the known findings with "svc lint --write-baseline FILE" and set baseline',
  functions: 'rules with functions in Go are not run; JavaScript functions of a ruleset are, with --allow-functions',
  base: 'references are resolved from the document',
  remote: 'references to addresses are followed where the document was read from an address',
}

/** Converts a `vacuum.conf.yaml`. Settings may be below the name of a command: those of `lint` apply. */
export function convertVacuum(value: Json): Converted {
  const whole = isObject(value) ? value : {}
  const flags: JsonObject = { ...whole, ...(isObject(whole.lint) ? whole.lint : {}) }
  const settings: Record<string, Json> = {}
  const done: string[] = []
  const left: string[] = []
  const ruleset = textAt(flags, 'ruleset')
  if (ruleset !== null) {
    settings.guide = ruleset
    done.push('ruleset')
    left.push(ofRuleset)
  }
  const severity = textAt(flags, 'fail-severity')
  const failOn = severity === null ? undefined : severities[severity.toLowerCase()]
  if (failOn !== undefined) {
    settings.failOn = failOn
    done.push('fail-severity')
  } else if (severity !== null) left.push(`fail-severity: "${severity}" is not a severity`)
  const known = new Set(['ruleset', 'fail-severity', 'lint'])
  for (const key of Object.keys(flags))
    if (!known.has(key)) left.push(`${key}: ${about[key] ?? 'svc has no such setting'}`)
  return { settings, apis: {}, done, left }
}
