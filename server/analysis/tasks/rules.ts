import type { StyleGuideRule } from '../../../src/api/style-guide-shapes.ts'
import { readRules } from '../../guide-rules/analysis-door.ts'
import type { RuleSource } from '../../guide-rules/door.ts'

/**
 * The rules of a guide that a tenant wrote.
 * @throws SvcError `custom-rules-invalid` with the place of every fault
 */
export async function run(source: RuleSource): Promise<{ readonly list: readonly StyleGuideRule[] }> {
  const { list } = await readRules(source)
  return { list }
}
