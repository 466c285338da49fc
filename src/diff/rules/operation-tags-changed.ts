import { list } from '../describe.ts'
import type { Rule } from '../rule.ts'

export default {
  direction: null,
  area: 'operation',
  kind: 'tags',
  action: 'changed',
  title: 'Tags of an operation changed',
  explain: 'Where documentation and generated clients file it.',
  message: (fact) => `${fact.subject}: the tags changed from ${list(fact.before)} to ${list(fact.after)}`,
  mirror: 'operation-tags-changed',
  aliases: ['api-tag-added', 'api-tag-removed'],
} satisfies Rule as Rule
