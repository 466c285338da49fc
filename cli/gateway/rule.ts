/** What the commands about rules share. */
import { groupIds, type GroupId } from '../../src/gateway/policy/catalogue.ts'
import { ruleActions } from '../../src/gateway/policy/model.ts'
import { SvcError } from '../../src/errors.ts'
import type { Invocation } from '../declare.ts'
import { readText } from '../consumer/shared.ts'
import { rateOf, reasonOption } from './shared.ts'

export const ruleArgument = { name: 'rule', required: true, summary: 'id of the rule' } as const
export const ruleOptions = {
  where: { type: 'string', placeholder: 'EXPRESSION', summary: 'which requests, as: http.path starts "/admin"' },
  'where-file': { type: 'string', placeholder: 'FILE', summary: 'a file with the expression, "-" is standard input' },
  action: { type: 'string', placeholder: 'ACTION', choices: ruleActions, summary: 'what happens to them' },
  status: {
    type: 'integer',
    placeholder: 'CODE',
    summary: 'the status of a refusal (default: 403, or 429 of a rate limit)',
  },
  group: {
    type: 'string',
    multiple: true,
    placeholder: 'GROUP',
    summary: 'with --action skip: a managed group that is skipped (repeatable)',
  },
  rate: { type: 'string', placeholder: 'N/SECONDS', summary: 'with --action rate-limit: requests in seconds' },
  order: { type: 'integer', placeholder: 'N', summary: 'its place: rules apply from the lowest on' },
  reason: reasonOption,
} as const

interface Values {
  readonly where: string | undefined
  readonly 'where-file': string | undefined
  readonly action: (typeof ruleActions)[number] | undefined
  readonly status: number | undefined
  readonly group: readonly string[]
  readonly rate: string | undefined
  readonly order: number | undefined
  readonly reason: string | undefined
}

function groupsOf(names: readonly string[]): GroupId[] {
  return names.map((name) => {
    const id = groupIds.find((it) => it === name)
    if (id === undefined) throw new SvcError('group-unknown', { group: name, suggestion: null })
    return id
  })
}

/**
 * What was given, as requests have it.
 * @throws SvcError `usage`, `group-unknown`, `file-not-found` and the like
 */
export async function ruleOf(values: Values, from: Pick<Invocation, 'cwd' | 'io'>) {
  const { where, status, group, rate, order, reason } = values
  const file = values['where-file']
  if (where !== undefined && file !== undefined)
    throw new SvcError('usage', { reason: 'Give --where or --where-file, not both' })
  const expressionText = file === undefined ? where : await readText(file, from)
  return {
    ...(expressionText === undefined ? {} : { expressionText }),
    ...(status === undefined ? {} : { status }),
    ...(group.length === 0 ? {} : { groups: groupsOf(group) }),
    ...(rate === undefined ? {} : { rate: rateOf(rate) }),
    ...(order === undefined ? {} : { order }),
    ...(reason === undefined ? {} : { reason }),
  }
}

export const warningText = (warnings: readonly string[]): string => warnings.map((it) => `Warning: ${it}\n`).join('')
