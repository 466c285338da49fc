import { isObject, type Json } from '../kernel/json.ts'
import { suggest } from '../kernel/suggest.ts'
import { changeSeverities, type ChangeSeverity } from './change.ts'
import { readIgnoreList } from './ignore.ts'
import type { Ignored } from './options.ts'
import { profiles, type ProfileName } from './profile.ts'
import { rules } from './rules.ts'

/** How a project wants changes evaluated: what `svc-diff.yaml` holds. */
export interface Rulebook {
  readonly profile?: ProfileName
  readonly severity: Readonly<Record<string, ChangeSeverity>>
  readonly ignore: readonly Ignored[]
}

export const noRulebook: Rulebook = { severity: {}, ignore: [] }

const profileNames = Object.keys(profiles) as ProfileName[]
const keys = ['profile', 'severity', 'ignore']

const meant = (given: string, known: Iterable<string>): string => {
  const near = suggest(given, known)
  return near === null ? '' : `; did you mean ${near}?`
}

/** A severity for the changes of a rule; what is wrong with it in a few words. */
export const readOverride = (rule: string, severity: unknown): ChangeSeverity | string[] => {
  if (!rules.has(rule)) return [`there is no rule "${rule}" for changes${meant(rule, rules.keys())}`]
  const known = changeSeverities.find((it) => it === severity)
  return known ?? [`the severity of ${rule} is one of ${changeSeverities.join(', ')}`]
}

/**
 * Reads a rule configuration: `{profile?, severity?: {RULE: SEVERITY}, ignore?: [{match, reason, until?}]}`.
 *
 * @returns the rule configuration, or what is wrong with it in a few words.
 */
export const readRulebook = (value: Json): Rulebook | string => {
  if (!isObject(value)) return `it has to be an object with ${keys.join(', ')}`
  const odd = Object.keys(value).find((key) => !keys.includes(key))
  if (odd !== undefined) return `unknown field "${odd}"${meant(odd, keys)}`
  const { profile: name, severity: given = {}, ignore: accepted = [] } = value
  const profile = profileNames.find((it) => it === name)
  if (name !== undefined && profile === undefined) return `the profile is one of ${profileNames.join(', ')}`
  if (!isObject(given)) return '"severity" must be a map from rules to severities'
  const severity: Record<string, ChangeSeverity> = {}
  for (const [rule, wanted] of Object.entries(given)) {
    const read = readOverride(rule, wanted)
    if (typeof read !== 'string') return read[0] ?? ''
    severity[rule] = read
  }
  const ignore = readIgnoreList(accepted)
  if (typeof ignore === 'string') return `"ignore": ${ignore}`
  return { ...(profile === undefined ? {} : { profile }), severity, ignore }
}
