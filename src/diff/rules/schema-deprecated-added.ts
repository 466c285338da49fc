import type { Rule } from '../rule.ts'

export default {
  direction: 'any',
  area: 'schema',
  kind: 'deprecated',
  action: 'added',
  title: 'Deprecated',
  explain: 'It still works; plan to do without it.',
  message: (fact) => `${fact.subject} is deprecated`,
  mirror: 'schema-deprecated-removed',
  aliases: [
    'request-property-sunset-date-too-small',
    'response-property-sunset-date-too-small',
    'request-property-deprecated',
    'request-property-deprecated-sunset-invalid',
    'request-property-deprecated-sunset-missing',
    'request-property-deprecated-with-sunset',
    'response-property-deprecated',
    'response-property-deprecated-sunset-invalid',
    'response-property-deprecated-sunset-missing',
    'response-property-deprecated-with-sunset',
  ],
} satisfies Rule as Rule
