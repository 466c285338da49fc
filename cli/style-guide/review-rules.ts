import type { Call, Input } from '../../src/api/endpoint.ts'
import type { styleGuidesApi } from '../../src/api/style-guides.ts'
import { isObject, type Json } from '../../src/document/json.ts'
import { SvcError } from '../../src/errors.ts'
import { memberIdOf } from '../review/shared.ts'

type Rules = NonNullable<Input<(typeof styleGuidesApi)['putPolicy']>['body']['reviewRules']>

/**
 * The review rules in a file, with ids in the place of e-mail addresses. The service checks the rest.
 * @throws SvcError `usage`, `reviewer-cannot-view`
 */
export async function reviewRulesOf(call: Call, tenant: string, written: Json): Promise<Rules> {
  const list = isObject(written) ? written['reviewRules'] : written
  if (!Array.isArray(list))
    throw new SvcError('usage', {
      reason: 'The file of --review-rules must have a list of rules; [] removes them all.',
    })
  const rules: Json[] = []
  for (const rule of list as readonly Json[]) {
    const reviewers = isObject(rule) ? rule['reviewers'] : undefined
    if (!isObject(rule) || !Array.isArray(reviewers)) {
      rules.push(rule)
      continue
    }
    const ids: string[] = []
    for (const name of reviewers as readonly Json[]) ids.push(await memberIdOf(call, tenant, String(name)))
    rules.push({ ...rule, reviewers: ids })
  }
  return rules as Rules
}
