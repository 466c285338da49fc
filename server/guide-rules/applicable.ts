/** Makes the rules of a guide of what decides them, and keeps the last ones. */
import { findBuiltin } from './builtin.ts'
import { applicableOf, readBuiltin, readRules } from './rules.ts'
import { SizedCache } from '../../src/kernel/sized-cache.ts'
import { recommendedGuide, recommendedRules, type Applicable, type LintGuide } from './guide.ts'

const mostGuideCharacters = 4 * 1024 * 1024

const builtins = new Map<string, Applicable>([[recommendedGuide.id, recommendedRules]])

// Rules are read, and their paths compiled, once for the same content.
const own = new SizedCache<Applicable>(mostGuideCharacters, 'analysis_guides')

/**
 * The rules of a guide.
 * @throws SvcError `custom-rules-invalid`
 */
export async function guideFrom({ id, source }: LintGuide): Promise<Applicable> {
  if (source !== null) {
    const rules = await readRules(source)
    let known = own.get(rules.digest)
    if (known === undefined) {
      known = applicableOf(rules)
      own.set(rules.digest, known, source.customRules.length + 10_000)
    }
    return known
  }
  let known = builtins.get(id)
  if (known === undefined) {
    const builtin = findBuiltin(id)
    if (builtin === null) throw new Error(`there is no builtin guide ${id}`)
    builtins.set(id, (known = applicableOf(readBuiltin(builtin))))
  }
  return known
}
