import type { Rule } from '../rule.ts'

export default {
  direction: 'request',
  area: 'security',
  kind: 'anonymous',
  action: 'removed',
  title: 'Credentials needed',
  explain: 'Who called it without credentials is refused.',
  message: () => 'callers now need credentials',
  mirror: 'security-anonymous-added',
} satisfies Rule as Rule
