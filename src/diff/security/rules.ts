import { fromTo, scopeChange, shorten } from '../describe.ts'
import { ruleTable } from '../rule.ts'

export const securityRules = ruleTable('security', 'request', {
  'security-alternative-added': {
    title: 'Authentication alternative added',
    explain: 'Callers can authenticate in an additional way.',
    message: ({ subject }) => `${subject} is now accepted`,
    aliases: ['api-global-security-added', 'api-security-added'],
  },
  'security-alternative-removed': {
    title: 'Authentication alternative removed',
    explain:
      'Callers that authenticate in this way are rejected, unless their credentials also satisfy another alternative.',
    message: ({ subject }) => `${subject} is no longer accepted`,
    aliases: ['api-global-security-removed', 'api-security-removed'],
  },
  'security-anonymous-added': {
    title: 'Authentication became optional',
    explain: 'Callers can now use the operation without credentials.',
    message: () => `Credentials are no longer required`,
  },
  'security-anonymous-removed': {
    title: 'Authentication became required',
    explain: 'Callers without credentials are now rejected.',
    message: () => `Credentials are now required`,
  },
  'security-bearer-format-changed': {
    direction: null,
    title: 'Bearer format changed',
    explain: '`bearerFormat` is a hint for readers (OpenAPI Security Scheme Object). Requests do not change.',
    message: ({ subject, before, after }) =>
      `Bearer format of ${subject} changed ${fromTo(before ?? 'none', after ?? 'none')}`,
  },
  'security-endpoint-changed': {
    direction: null,
    title: 'OAuth or OpenID Connect URL changed',
    explain:
      'Clients that use the old URL cannot get tokens if it stops working (switch `security-scheme-endpoint-changed`).',
    message: ({ subject, before, after }) => `A URL of ${subject} changed ${fromTo(before ?? 'none', after ?? 'none')}`,
    aliases: ['api-security-component-oauth-token-url-changed', 'api-security-component-oauth-url-changed'],
  },
  'security-flow-added': {
    direction: null,
    title: 'OAuth flow added',
    explain: 'Clients can get tokens in an additional way.',
    message: ({ subject, after }) => `Flow ${shorten(after)} of ${subject} was added`,
  },
  'security-flow-removed': {
    direction: null,
    title: 'OAuth flow removed',
    explain: 'Clients that use this flow can no longer get tokens.',
    message: ({ subject, before }) => `Flow ${shorten(before)} of ${subject} was removed`,
  },
  'security-scheme-added': {
    direction: null,
    title: 'Security scheme added',
    explain: 'The document declares an additional security scheme. Operations that require it are compared separately.',
    message: ({ subject }) => `${subject} was added`,
    aliases: ['api-security-component-added'],
  },
  'security-scheme-changed': {
    direction: null,
    title: 'Security scheme changed',
    explain: 'Credentials are sent in another way. Clients that send them in the old way are rejected.',
    message: ({ subject, before, after }) => `${subject} changed ${fromTo(before, after)}`,
    aliases: ['api-security-component-type-changed'],
  },
  'security-scheme-removed': {
    direction: null,
    title: 'Security scheme removed',
    explain:
      'The document no longer declares this security scheme. Operations that required it are compared separately.',
    message: ({ subject }) => `${subject} was removed`,
    aliases: ['api-security-component-removed'],
  },
  'security-scope-added': {
    direction: null,
    title: 'OAuth scope added',
    explain: 'Clients can request an additional scope.',
    message: ({ subject, after }) => `Scope ${shorten(after)} of ${subject} was added`,
    aliases: ['api-security-component-oauth-scope-added'],
  },
  'security-scope-removed': {
    direction: null,
    title: 'OAuth scope removed',
    explain: 'Clients that request this scope are rejected.',
    message: ({ subject, before }) => `Scope ${shorten(before)} of ${subject} was removed`,
    aliases: ['api-security-component-oauth-scope-removed'],
  },
  'security-scopes-changed': {
    title: 'Required scopes changed',
    explain:
      'The scopes that credentials need changed. An additional scope is breaking: callers that have only the old scopes are rejected.',
    message: ({ subject, before, after }) => `Scopes required for ${subject} changed: ${scopeChange(before, after)}`,
    aliases: [
      'api-global-security-scope-added',
      'api-global-security-scope-removed',
      'api-security-scope-added',
      'api-security-scope-removed',
    ],
  },
})
