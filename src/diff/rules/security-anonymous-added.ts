import type { Rule } from '../rule.ts'

export default {
  direction: 'request',
  area: 'security',
  kind: 'anonymous',
  action: 'added',
  title: 'Credentials no longer needed',
  explain: 'Everybody is let in.',
  message: () => 'callers no longer need credentials',
  mirror: 'security-anonymous-removed',
} satisfies Rule as Rule
