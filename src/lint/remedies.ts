/** What to do about findings. */
import type { Finding } from './finding.ts'
import type { Rule, RuleHelp } from './rule.ts'

type Told = Pick<Finding, 'code' | 'message'>

const keyOf = ({ code, message }: Told): string => `${code} ${message}`

/**
 * The remedies of the rules of some findings, by their ids, and those of messages that differ from their rule's.
 * @param rules the builtin rules
 * @param own the rules of a ruleset, which may say what to do as well
 */
export function remediesOf(
  findings: readonly Told[],
  rules: Readonly<Record<string, { readonly help?: RuleHelp }>>,
  own?: ReadonlyMap<string, { readonly rule: Rule }>,
): ReadonlyMap<string, string> {
  const remedies = new Map<string, string>()
  for (const it of findings) {
    const said = own?.get(it.code)?.rule.remedy
    if (said !== undefined) {
      remedies.set(it.code, said)
      continue
    }
    const help = Object.hasOwn(rules, it.code) ? rules[it.code]?.help : undefined
    if (help === undefined) continue
    remedies.set(it.code, help.remedy)
    const other = help.others?.find(({ message }) => message.test(it.message))
    if (other !== undefined) remedies.set(keyOf(it), other.remedy)
  }
  return remedies
}

/** What to do about one of them; undefined where its rule does not say. */
export const remedyFor = (remedies: ReadonlyMap<string, string> | undefined, finding: Told): string | undefined =>
  remedies?.get(keyOf(finding)) ?? remedies?.get(finding.code)
