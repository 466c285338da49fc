import { digestValue } from '../../src/document/serialize.ts'
import type { RuleSource } from './guide.ts'

/** The same for the same rules. */
export const digestOfRules = ({ settings, customRules }: RuleSource): string =>
  digestValue({ settings: settings as never, customRules })

/** The digest of a builtin guide. */
export const builtinDigest = (id: string): string => `builtin:${id}`
