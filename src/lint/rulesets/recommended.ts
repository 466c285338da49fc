import { rules } from '../rules.gen.ts'
import type { Ruleset } from '../rule.ts'

const isRecommended = ([, { recommended }]: [string, { readonly recommended?: boolean }]): boolean =>
  recommended !== false

/** The guide that applies where no other was chosen: every rule of ours that is recommended. */
export const recommended: { readonly name: string; readonly ruleset: Ruleset } = {
  name: 'svc:recommended',
  ruleset: Object.fromEntries(Object.entries(rules).filter(isRecommended)),
}
