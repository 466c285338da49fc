/** What to do about findings. */
import type { Finding } from './finding.ts'
import type { RuleHelp } from './rule.ts'

type Told = Pick<Finding, 'code' | 'message'>

const keyOf = ({ code, message }: Told): string => `${code} ${message}`

/**
 * The remedies of the rules of some findings, by their ids, and those of messages that differ from their rule's.
 * @param rules the builtin rules; other rules have no remedy
 */
export function remediesOf(
  findings: readonly Told[],
  rules: Readonly<Record<string, { readonly help?: RuleHelp }>>,
): ReadonlyMap<string, string> {
  const remedies = new Map<string, string>()
  for (const it of findings) {
    const help = Object.hasOwn(rules, it.code) ? rules[it.code]?.help : undefined
    if (help === undefined) continue
    remedies.set(it.code, help.remedy)
    const own = help.others?.find(({ message }) => message.test(it.message))
    if (own !== undefined) remedies.set(keyOf(it), own.remedy)
  }
  return remedies
}

/** What to do about one of them; undefined where its rule does not say. */
export const remedyFor = (remedies: ReadonlyMap<string, string> | undefined, finding: Told): string | undefined =>
  remedies?.get(keyOf(finding)) ?? remedies?.get(finding.code)
