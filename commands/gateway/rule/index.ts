import { gatewayApi } from '../../../src/api/gateway.ts'
import { SvcError } from '../../../src/errors.ts'
import { type GroupId, groupIds, ruleActions } from '../../../src/gateway-policy/door.ts'
import { command, group, type Invocation } from '../../../cli/declare.ts'
import { derive } from '../../../cli/derive.ts'
import {
  controlsOf,
  environmentArgument,
  previewText,
  rateOf,
  reasonOption,
  ruleTable,
  securityCall,
  writeOptions,
  writtenText,
} from '../../../cli/gateway/command-parts.ts'
import { readText } from '../../../cli/input/named-file.ts'

const ruleArgument = { name: 'rule', required: true, summary: 'id of the rule' } as const
const ruleOptions = {
  where: { type: 'string', placeholder: 'EXPRESSION', summary: 'which requests, as: http.path starts "/admin"' },
  'where-file': { type: 'string', placeholder: 'FILE', summary: 'a file with the expression, "-" is standard input' },
  action: { type: 'string', placeholder: 'ACTION', choices: ruleActions, summary: 'what happens to them' },
  status: {
    type: 'integer',
    placeholder: 'CODE',
    summary: 'HTTP status of refused requests (default: 403, or 429 for a rate limit)',
  },
  group: {
    type: 'string',
    multiple: true,
    placeholder: 'GROUP',
    summary: 'with --action skip: a managed group that is skipped (repeatable)',
  },
  rate: { type: 'string', placeholder: 'N/SECONDS', summary: 'with --action rate-limit: requests in seconds' },
  order: { type: 'integer', placeholder: 'N', summary: 'position; rules with lower numbers apply first' },
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
async function ruleOf(values: Values, from: Pick<Invocation, 'cwd' | 'io'>) {
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

const warningText = (warnings: readonly string[]): string => warnings.map((it) => `Warning: ${it}\n`).join('')

export default group({
  summary: 'Manage custom rules',
  commands: {
    list: derive(gatewayApi.get, {
      summary: 'List the custom rules of a policy in their order',
      examples: ['svc gateway rule list production', 'svc gateway rule list production --removed'],
      arguments: [environmentArgument],
      options: { removed: { type: 'boolean', summary: 'list the removed rules, which can be restored', field: null } },
      data: (policy, { options }) => ({
        policyVersion: policy.policyVersion,
        rules: options['removed'] === true ? policy.removedRules : policy.rules,
      }),
      text: (policy, { options }) => ruleTable(options['removed'] === true ? policy.removedRules : policy.rules),
    }),
    delete: derive(gatewayApi.removeRule, {
      examples: ['svc gateway rule delete production 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
      arguments: [environmentArgument, ruleArgument],
      options: writeOptions,
      text: writtenText,
    }),
    restore: derive(gatewayApi.restoreRule, {
      examples: ['svc gateway rule restore production 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
      arguments: [environmentArgument, ruleArgument],
      options: writeOptions,
      text: (written) => writtenText(written) + warningText(written.warnings),
    }),
    create: command({
      summary: 'Add a custom rule; unsafe ones are refused by name',
      examples: [
        'svc gateway rule create production "Admin" --action block --where \'http.path starts "/admin" and not ip.src cidr "10.0.0.0/8"\'',
        'svc gateway rule create production "Login" --action rate-limit --rate 10/60 --where \'http.route eq "/login"\' --dry-run',
      ],
      arguments: [environmentArgument, { name: 'name', required: true, summary: 'name of the rule' }],
      options: { ...ruleOptions, off: { type: 'boolean', summary: 'add it switched off' }, ...writeOptions },
      dataSchema: gatewayApi.createRule.response,
      async run(invocation) {
        const { args, options, connection } = invocation
        const { action } = options
        if (action === undefined) throw new SvcError('usage', { reason: 'Give --action' })
        const given = await ruleOf(options, invocation)
        if (!('expressionText' in given)) throw new SvcError('usage', { reason: 'Give --where or --where-file' })
        const { call, query } = await securityCall(connection)
        const written = await call(gatewayApi.createRule, {
          params: { environment_id: args.environment },
          query,
          body: {
            name: args.name,
            action,
            ...given,
            ...(options.off ? { enabled: false } : {}),
            ...controlsOf(options),
          },
        })
        const id = written.dryRun ? '' : `Rule ${written.rule.id}\n`
        return { data: written, text: id + writtenText(written) + warningText(written.warnings) }
      },
    }),
    preview: command({
      summary: 'Show what is unsafe in a rule, and its effect on recorded requests',
      examples: ['svc gateway rule preview production --where \'http.path starts "/admin"\''],
      arguments: [environmentArgument],
      options: ruleOptions,
      dataSchema: gatewayApi.previewRule.response,
      async run(invocation) {
        const { args, options, connection } = invocation
        const given = await ruleOf(options, invocation)
        if (!('expressionText' in given)) throw new SvcError('usage', { reason: 'Give --where or --where-file' })
        const { call, query } = await securityCall(connection)
        const found = await call(gatewayApi.previewRule, {
          params: { environment_id: args.environment },
          query,
          body: { action: options.action ?? 'block', ...given },
        })
        const { refusals, warnings, expressionText, matching, approvalRequired } = found
        const text =
          `${expressionText}\n` +
          refusals.map(({ code, reason }) => `Refused: ${code}: ${reason}.\n`).join('') +
          warningText(warnings) +
          (approvalRequired ? 'It needs the approval of another person.\n' : '') +
          `Recorded requests that meet it: ${matching.yes} yes, ${matching.no} no, ${matching.unknown} unknown.\n` +
          previewText(found.preview)
        return { data: found, text, exitCode: refusals.length > 0 ? 2 : 0 }
      },
    }),
    update: command({
      summary: 'Change a custom rule, or switch it on or off',
      examples: ['svc gateway rule update production 01a1fdb6-5607-74ce-8102-e0af632fd4cf --off'],
      arguments: [environmentArgument, ruleArgument],
      options: {
        name: { type: 'string', placeholder: 'NAME', summary: 'another name' },
        ...ruleOptions,
        on: { type: 'boolean', summary: 'switch it on' },
        off: { type: 'boolean', summary: 'switch it off' },
        ...writeOptions,
      },
      dataSchema: gatewayApi.updateRule.response,
      async run(invocation) {
        const { args, options, connection } = invocation
        const { name, action, on, off } = options
        if (on && off) throw new SvcError('usage', { reason: 'Give --on or --off, not both' })
        const body = {
          ...(name === undefined ? {} : { name }),
          ...(action === undefined ? {} : { action }),
          ...(await ruleOf(options, invocation)),
          ...(on || off ? { enabled: on } : {}),
          ...controlsOf(options),
        }
        const { call, query } = await securityCall(connection)
        const params = { environment_id: args.environment, rule_id: args.rule }
        const written = await call(gatewayApi.updateRule, { params, query, body })
        return { data: written, text: writtenText(written) + warningText(written.warnings) }
      },
    }),
  },
})
