import type { RuleStance } from './profile.ts'

/**
 * Where other tools call a change breaking or not by its kind alone. Our rule ids on the left; a direction in which they
 * agree with containment is left out.
 */
const narrowsRequests: RuleStance = { request: 'breaking' }
const widensResponses: RuleStance = { response: 'breaking' }

/** oasdiff: who may call is told and never breaks; a keyword counts even where it says nothing about the type. */
export const oasdiffRules: Readonly<Record<string, RuleStance>> = {
  'security-alternative-removed': 'safe',
  'security-anonymous-removed': 'safe',
  'security-scopes-changed': 'safe',
  'security-scope-removed': 'safe',
  'security-scheme-changed': 'safe',
  'security-scheme-removed': 'safe',
  'security-endpoint-changed': 'safe',
  'security-bearer-format-changed': 'safe',
  'schema-pattern-changed': 'safe',
  'schema-discriminator-changed': 'safe',
  'schema-discriminator-mapping-added': 'safe',
  'schema-discriminator-mapping-removed': 'safe',
  'schema-discriminator-mapping-changed': 'safe',
  'schema-one-of-branch-removed': narrowsRequests,
  'schema-any-of-branch-removed': narrowsRequests,
  'schema-one-of-branch-added': widensResponses,
  'schema-minimum-increased': narrowsRequests,
  'schema-maximum-decreased': narrowsRequests,
  'schema-min-length-increased': narrowsRequests,
  'schema-max-length-decreased': narrowsRequests,
  'schema-min-items-increased': narrowsRequests,
  'schema-max-items-decreased': narrowsRequests,
  'schema-minimum-decreased': widensResponses,
  'schema-maximum-increased': widensResponses,
  'schema-min-length-decreased': widensResponses,
  'schema-max-length-increased': widensResponses,
  'schema-min-items-decreased': widensResponses,
  'schema-max-items-increased': widensResponses,
  'schema-pattern-added': narrowsRequests,
  'schema-format-added': narrowsRequests,
  'schema-format-changed': narrowsRequests,
  'body-required-added': narrowsRequests,
}

/** openapi-diff: how a value is written and what it is for always counts, whatever the type. */
export const openApiDiffRules: Readonly<Record<string, RuleStance>> = {
  'parameter-explode-changed': 'breaking',
  'parameter-style-changed': 'breaking',
  'schema-format-changed': 'breaking',
}
