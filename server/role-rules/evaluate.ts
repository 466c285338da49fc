/** What rules make of the claims of a person: fits, does not fit, or undecided. Pure. */
import { groupsClaim } from '../../src/api/role-rules.ts'
import { type Role, roles } from '../../src/api/permissions.ts'
import { fitsPattern, singleText } from '../../src/kernel/wildcards.ts'

export type Claims = Readonly<Record<string, unknown>>

/** What a rule asks for, and what it gives. */
export interface Rule {
  /** The id of the rule; a digest of one of the operator's file. */
  readonly key: string
  readonly claim: string
  readonly value: string
  readonly role: Role
}

/** Why a rule fits, does not, or cannot be decided. */
export interface Verdict {
  readonly verdict: 'fits' | 'does-not-fit' | 'undecided'
  readonly reason: string
}

/** A list of groups beyond this is not read. */
const maxValues = 10_000

const isMap = (value: unknown): value is Claims => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value at a path: a claim of exactly this name first, for names have dots too (`https://acme.com/groups`). */
function valueAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  for (let dot = path.indexOf('.'); dot > 0; dot = path.indexOf('.', dot + 1)) {
    const name = path.slice(0, dot)
    const inner = Object.hasOwn(claims, name) ? claims[name] : undefined
    const found = isMap(inner) ? valueAt(inner, path.slice(dot + 1)) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

type Reading = { readonly values: readonly string[] } | { readonly undecided: string } | { readonly unproven: string }

/** Whether a provider sent a reference to the groups in place of them, as Entra ID does for many groups. */
const isElsewhere = ({ _claim_names: names }: Claims, claim: string): boolean =>
  isMap(names) && Object.hasOwn(names, claim)

/** Whether claims have an answer for a path, so that no one else has to be asked. */
export const hasClaim = (claims: Claims, path: string): boolean => valueAt(claims, path) !== undefined

function readClaim(claims: Claims, path: string): Reading {
  const value = valueAt(claims, path)
  if (value === undefined || value === null)
    return {
      undecided: isElsewhere(claims, path)
        ? `the identity provider sent a reference instead of "${path}": the person is in too many groups for its token`
        : `the claim "${path}" is absent`,
    }
  // Anybody can type an address; only a proven one says who somebody is.
  if (path === 'email' && claims['email_verified'] !== true && claims['email_verified'] !== 'true')
    return { unproven: 'the address is not verified' }
  const values = (Array.isArray(value) ? value : [value]).map(singleText)
  if (values.length > maxValues) return { undecided: `the claim "${path}" has more than ${maxValues} values` }
  return values.includes(null)
    ? { undecided: `the claim "${path}" is neither a text nor a list of texts` }
    : { values: values.filter((it) => it !== null) }
}

/** What one rule makes of claims. An empty list is decided: it fits no rule. */
export function judge(rule: Pick<Rule, 'claim' | 'value'>, claims: Claims): Verdict {
  const reading = readClaim(claims, rule.claim)
  if ('undecided' in reading) return { verdict: 'undecided', reason: reading.undecided }
  if ('unproven' in reading) return { verdict: 'does-not-fit', reason: reading.unproven }
  const fitting = reading.values.find((it) => fitsPattern(it, rule.value))
  if (fitting !== undefined) return { verdict: 'fits', reason: `"${rule.claim}" has "${fitting.slice(0, 200)}"` }
  return {
    verdict: 'does-not-fit',
    reason:
      reading.values.length === 0
        ? `"${rule.claim}" is an empty list`
        : `"${rule.claim}" has nothing that fits "${rule.value}"`,
  }
}

/** The highest of several roles; null without any. */
export const highestRole = (given: readonly Role[]): Role | null => roles.find((it) => given.includes(it)) ?? null

/** A rule as people read it. */
export const ruleText = ({ claim, value }: Pick<Rule, 'claim' | 'value'>, issuer: string): string =>
  claim === groupsClaim ? `group ${value} of ${issuer}` : `${claim} = ${value} of ${issuer}`
