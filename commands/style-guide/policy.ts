import type { Input } from '../../src/api/endpoint.ts'
import { standingRoles } from '../../src/api/permissions.ts'
import {
  gateLevels,
  guardrailLevels,
  PolicyGates,
  PolicySettings,
  survivals,
} from '../../src/api/style-guide-shapes.ts'
import { styleGuidesApi } from '../../src/api/style-guides.ts'
import { SvcError } from '../../src/errors.ts'
import { suggest } from '../../src/kernel/suggest.ts'
import { isObject, type Json } from '../../src/kernel/json.ts'
import { command, type Invocation } from '../../cli/declare.ts'
import { readValue } from '../../cli/input/named-file.ts'
import { memberIdOf } from '../../cli/review/shared.ts'
import { guideAddress, guideArgument, policyFacts } from '../../cli/style-guide/shared.ts'

type Rules = NonNullable<Input<(typeof styleGuidesApi)['putPolicy']>['body']['reviewRules']>

/**
 * The review rules in a file, with ids in the place of e-mail addresses. The service checks the rest.
 * @throws SvcError `usage`, `reviewer-cannot-view`
 */
async function reviewRulesOf(written: Json, from: Pick<Invocation, 'connection'>): Promise<Rules> {
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
    for (const name of reviewers as readonly Json[]) ids.push(await memberIdOf(String(name), from))
    rules.push({ ...rule, reviewers: ids })
  }
  return rules as Rules
}

type Level = (typeof gateLevels)[number]
const isLevel = (text: string | undefined): text is Level => gateLevels.includes(text as Level)

const gateNames = Object.keys(PolicyGates.properties).filter((it) => it !== 'minGrade' && it !== 'failOn')

function readGates(given: readonly string[]): Record<string, Level> {
  return Object.fromEntries(
    given.map((text) => {
      const [id = '', level] = text.split('=')
      if (!isLevel(level))
        throw new SvcError('usage', { reason: `--gate must be GATE=${gateLevels.join('|')}, not "${text}"` })
      if (!gateNames.includes(id)) {
        const near = suggest(id, gateNames)
        const meant = near === null ? `the gates are ${gateNames.join(', ')}` : `did you mean "${near}"?`
        throw new SvcError('usage', { reason: `--gate: there is no gate "${id}"; ${meant}` })
      }
      return [id, level]
    }),
  )
}

export default command({
  summary: 'Show or change the publishing policy of a style guide',
  description: 'Without options the policy is shown; only what an option names is changed.',
  examples: [
    'svc style-guide policy Strict',
    'svc style-guide policy Strict --gate lint-grade=block --min-grade B --guardrail block',
    'svc style-guide policy Strict --approvals 2 --reviewer-role admin --approvals-survive nothing',
    'svc style-guide policy Strict --review-rules rules.yaml',
  ],
  arguments: [guideArgument],
  options: {
    gate: { type: 'string', placeholder: 'GATE=LEVEL', multiple: true, summary: 'off, warn or block for one gate' },
    'min-grade': {
      type: 'string',
      placeholder: 'LETTER',
      choices: ['A', 'B', 'C', 'D', 'F'],
      summary: 'minimum grade of the gate lint-grade',
    },
    'fail-on': {
      type: 'string',
      placeholder: 'SEVERITY',
      choices: ['error', 'warning', 'info'],
      summary: 'lowest severity that fails the gate lint-findings',
    },
    guardrail: {
      type: 'string',
      placeholder: 'LEVEL',
      choices: guardrailLevels,
      summary: 'what happens if a release has breaking changes',
    },
    approvals: {
      type: 'integer',
      min: 0,
      max: 20,
      placeholder: 'N',
      summary: 'number of required approvals; 0 for none',
    },
    'reviewer-role': {
      type: 'string',
      placeholder: 'ROLE',
      choices: [...standingRoles, 'none'],
      summary: 'role that can approve; none: any role',
    },
    'approvals-survive': {
      type: 'string',
      placeholder: 'EDITS',
      choices: survivals,
      summary: 'edits after which an approval still counts',
    },
    'review-rules': {
      type: 'string',
      placeholder: 'FILE',
      summary:
        'rules that replace the present ones: a JSON or YAML file with a list, "-" is standard input; reviewers are ids or e-mail addresses',
    },
  },
  dataSchema: PolicySettings,
  isBounded: true,
  async run({ args, options, given, connection, cwd, io }) {
    const { approvals, guardrail, 'approvals-survive': survive, 'review-rules': rulesFile } = options
    const role = options['reviewer-role']
    const gates = {
      ...readGates(options.gate),
      ...(options['min-grade'] === undefined ? {} : { minGrade: options['min-grade'] }),
      ...(options['fail-on'] === undefined ? {} : { failOn: options['fail-on'] }),
    }
    const body = {
      ...(Object.keys(gates).length === 0 ? {} : { policyGates: gates }),
      ...(guardrail === undefined ? {} : { breakingPublishGuardrail: guardrail }),
      ...(approvals === undefined
        ? {}
        : { approvalPolicy: { required: approvals > 0, ...(approvals > 0 ? { minApprovals: approvals } : {}) } }),
      ...(role === undefined ? {} : { requiredReviewerRole: role === 'none' ? null : role }),
      ...(survive === undefined ? {} : { approvalsSurvive: survive }),
    }
    const written = rulesFile === undefined ? null : await readValue(rulesFile, { cwd, io })
    const { call, params } = await guideAddress(connection, args.guide)
    const rules = written === null ? {} : { reviewRules: await reviewRulesOf(written, { connection }) }
    const changes = given.size > 0 && Object.keys({ ...body, ...rules }).length > 0
    const policy = changes
      ? await call(styleGuidesApi.putPolicy, { params, body: { ...body, ...rules } })
      : await call(styleGuidesApi.policy, { params })
    return { data: policy, text: () => policyFacts(policy) }
  },
})
