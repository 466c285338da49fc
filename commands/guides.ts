import { SvcError } from '../src/errors.ts'
import type { Ruleset } from '../src/lint/rule.ts'
import { recommended } from '../src/lint/rulesets/recommended.ts'
import type { Invocation } from './command.ts'

/** A style guide, ready to be applied. */
export interface Guide {
  readonly name: string
  readonly ruleset: Ruleset
  /** Somebody named it: it is applied to documents of any kind. */
  readonly chosen: boolean
}

/**
 * The guide that `--guide` names; the recommended one where it is absent.
 * @throws SvcError `usage` where there is none of that name
 */
export async function findGuide(name: string | undefined, _place: Pick<Invocation, 'cwd' | 'io'>): Promise<Guide> {
  if (name === undefined || name === recommended.name) return { ...recommended, chosen: name !== undefined }
  throw new SvcError('usage', { reason: `There is no guide "${name}"; the builtin one is ${recommended.name}` })
}
