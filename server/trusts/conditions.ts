/** Conditions on the claims of a token: patterns, and which of them are narrow enough to be trusted. */
import { fitsPattern, singleText } from '../../src/kernel/wildcards.ts'

const isWildcard = (character: string | undefined): boolean => character === '*' || character === '?'

/** Every reason why claims do not fit the conditions, by the names of the claims. */
export function misfits(
  claims: Readonly<Record<string, unknown>>,
  conditions: Readonly<Record<string, string>>,
): readonly string[] {
  const named = Object.entries(conditions).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return named.flatMap(([claim, pattern]) => {
    if (!Object.hasOwn(claims, claim)) return [`it has no claim "${claim}"`]
    const text = singleText(claims[claim])
    if (text === null) return [`its claim "${claim}" is not a single value`]
    return fitsPattern(text, pattern) ? [] : [`its claim "${claim}" is "${text.slice(0, 200)}", not "${pattern}"`]
  })
}

/** What a pattern begins with before anything can vary. */
function fixedStart(pattern: string): string {
  let end = 0
  while (end < pattern.length && !isWildcard(pattern[end])) end += 1
  return pattern.slice(0, end)
}

/** A claim says whose a pipeline is where the fixed start of its pattern fits. */
type Owned = Readonly<Record<string, RegExp>>

const whole = /^.+$/s

/** Issuers that sign for everybody, and the claims that say for whom. */
const shared: Readonly<Record<string, { readonly owned: Owned; readonly example: string }>> = {
  'https://token.actions.githubusercontent.com': {
    // Not `job_workflow_ref`: any repository may call a public workflow of another one.
    owned: {
      sub: /^repo:[^/]+\//,
      repository: /^[^/]+\//,
      workflow_ref: /^[^/]+\//,
      repository_owner: whole,
      repository_owner_id: whole,
      repository_id: whole,
    },
    example: 'sub=repo:OWNER/REPOSITORY:*',
  },
  'https://gitlab.com': {
    owned: {
      sub: /^project_path:[^/]+\//,
      project_path: /^[^/]+\//,
      namespace_path: whole,
      namespace_id: whole,
      project_id: whole,
    },
    example: 'project_path=GROUP/PROJECT',
  },
  'https://agent.buildkite.com': {
    owned: { sub: /^organization:[^:]+:/, organization_slug: whole, organization_id: whole },
    example: 'organization_slug=ORGANIZATION',
  },
}

/**
 * Why conditions would trust strangers; null where they do not. Of an issuer that signs for everybody they must say whose
 * pipelines are meant.
 */
export function tooWide(issuer: string, conditions: Readonly<Record<string, string>>): string | null {
  const everybody = Object.hasOwn(shared, issuer) ? shared[issuer] : undefined
  const patterns = Object.entries(conditions)
  if (everybody === undefined)
    return patterns.some(([, pattern]) => /[^*?]/.test(pattern))
      ? null
      : 'a condition of wildcards alone takes every token of the issuer'
  const isOwned = patterns.some(([claim, pattern]) => {
    const shape = Object.hasOwn(everybody.owned, claim) ? everybody.owned[claim] : undefined
    if (shape === undefined) return false
    const start = fixedStart(pattern)
    // A claim that is an owner or an id as a whole must not vary at all: "acme*" is also "acme-evil".
    return shape === whole ? start === pattern : shape.test(start)
  })
  return isOwned
    ? null
    : `${issuer} signs tokens for everybody, and no condition says whose pipelines are meant; add one such as ${everybody.example}`
}
