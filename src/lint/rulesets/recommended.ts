import { rules } from '../rules.gen.ts'
import type { Ruleset } from '../rule.ts'

/** The guide that applies where no other was chosen: every rule of ours. */
export const recommended: { readonly name: string; readonly ruleset: Ruleset } = {
  name: 'svc:recommended',
  ruleset: rules,
}
