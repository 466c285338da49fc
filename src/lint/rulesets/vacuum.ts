/** The rulesets of vacuum by their names: its rules that are Spectral's, and the names of its own, which svc does not have. */
import { wordsIn } from '../../kernel/text.ts'
import { vacuumChecks } from '../oas/vacuum-functions.ts'
import type { Rule, Ruleset } from '../rule.ts'

const own = `
  camel-case-properties component-description description-duplication duplicate-paths info-license-spdx
  no-ambiguous-paths no-request-body no-unnecessary-combinator nullable-enum
  oas-missing-type oas-schema-check oas3-example-external-check oas3-example-missing oas3-missing-example
  path-item-refs post-response-success schema-type-check
`

const ofOwasp = `
  owasp-array-limit owasp-auth-insecure-schemes owasp-constrained-additionalProperties owasp-define-error-responses-401
  owasp-define-error-responses-429 owasp-define-error-responses-500 owasp-define-error-validation owasp-integer-format
  owasp-integer-limit owasp-jwt-best-practices owasp-no-additionalProperties owasp-no-api-keys-in-url
  owasp-no-credentials-in-url owasp-no-http-basic owasp-no-numeric-ids owasp-protection-global-safe
  owasp-protection-global-unsafe owasp-protection-global-unsafe-strict owasp-rate-limit owasp-rate-limit-retry-after
  owasp-security-hosts-https-oas3 owasp-string-limit owasp-string-restricted
`

const functions = `
  checkSecurity noAmbiguousPaths oasAPIServers oasDescriptionDuplication oasDescriptions oasOpErrorResponse oasPolymorphicAnyOf oasPolymorphicOneOf owaspAdditionalPropertiesConstrained owaspArrayLimit
  owaspAuthInsecureSchemes owaspCheckErrorResponse owaspCheckSecurity owaspDefineErrorDefinition owaspHeaderDefinition
  owaspIntegerFormat owaspIntegerLimit owaspJWTBestPractice owaspNoAdditionalProperties owaspNoApiKeyInUrl
  owaspNoBasicAuth owaspNoCredentialsInUrl owaspNoNumericIds owaspRateLimitDefinition owaspRatelimitRetryAfter
  owaspStringLimit owaspStringRestricted
`

/** The functions that vacuum has and svc does not: a rule with one is skipped by its name. */
export const vacuumFunctions: ReadonlySet<string> = new Set(wordsIn(functions))

const unknown = (text: string, advice: string): Ruleset =>
  Object.fromEntries(
    wordsIn(text).map((name) => [
      name,
      { given: [], then: [], formats: ['oas2', 'oas3'], skipped: `svc does not have this rule of vacuum${advice}` },
    ]),
  )

const ruleWith = (name: string, description: string): Rule => {
  const run = vacuumChecks[name]?.run
  if (run === undefined) throw new Error(`there is no function ${name}`)
  return {
    description,
    message: '{{error}}',
    severity: 'warning',
    formats: ['oas2', 'oas3'],
    given: ['$'],
    then: [{ run }],
  }
}

/** Rules of vacuum that are one function of it without options. */
const known: Ruleset = {
  'no-http-verbs-in-path': ruleWith('noVerbsInPath', 'Paths name no method of HTTP.'),
  'paths-kebab-case': ruleWith('pathsKebabCase', 'Segments of paths are in kebab-case.'),
}

/** `vacuum:oas`: the rules of Spectral, which have their names in vacuum too, and those that vacuum adds. */
export const vacuumRules = (spectral: Ruleset): Ruleset => ({ ...unknown(own, ''), ...known, ...spectral })

/** `vacuum:owasp`. */
export const vacuumOwaspRules: Ruleset = unknown(
  ofOwasp,
  '; extend @stoplight/spectral-owasp-ruleset, which has rules for the same risks',
)
