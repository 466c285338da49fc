import {
  type RoleRule,
  type RoleSources,
  type RoleTrial,
  roleRulesApi,
  scimSource,
} from '../../../src/api/role-rules.ts'
import { isObject } from '../../../src/kernel/json.ts'
import { SvcError } from '../../../src/errors.ts'
import { command, group } from '../../../cli/declare.ts'
import { derive } from '../../../cli/derive.ts'
import { readValue } from '../../../cli/input/named-file.ts'
import { pageCounts, pageOptions } from '../../../cli/paging.ts'
import { renderFacts, renderTable } from '../../../cli/table.ts'

const renderRule = (rule: RoleRule): string =>
  renderFacts([
    ['id', rule.id],
    ['source', rule.issuer],
    ['claim', rule.claim],
    ['value', rule.value],
    ['role', rule.role],
  ])

const renderTrial = ({ issuer, role, undecided, rules }: RoleTrial): string =>
  renderFacts([
    ['source', issuer],
    ['role', role ?? 'none'],
    ['undecided', undecided ? 'yes: what these rules gave before stays' : null],
  ]) +
  (rules.length === 0
    ? 'No rules for this source.\n'
    : renderTable(
        ['VERDICT', 'ROLE', 'CLAIM', 'VALUE', 'WHY'],
        rules.map((it) => [it.verdict, it.role, it.claim, it.value, it.reason]),
      ))

const renderSources = ({ issuer, operator_only, operator_rules, directory }: RoleSources): string =>
  renderFacts([
    ['provider', issuer ?? 'none'],
    ['rules', operator_only ? 'only the operator writes those for claims' : null],
    ['directory', directory.url],
    ['users', String(directory.users)],
    ['groups', String(directory.groups)],
  ]) +
  (operator_rules.length === 0
    ? ''
    : renderTable(
        ['CLAIM', 'VALUE', 'ROLE', 'RULE OF THE OPERATOR FOR'],
        operator_rules.map((it) => [it.claim, it.value, it.role, it.issuer]),
      ))

const scimOption = { type: 'boolean', summary: 'of the directory that the organization sends (SCIM)' } as const

export default group({
  summary: 'Give roles for the groups that the identity provider or a directory puts people in',
  commands: {
    list: derive(roleRulesApi.list, {
      summary: 'List the rules that give roles for groups, newest first',
      examples: ['svc sign-in map list', 'svc sign-in map list --json'],
      options: pageOptions,
      data: 'items',
      counts: pageCounts,
      empty: 'No rules. Add one: svc sign-in map add GROUP --role editor\n',
      columns: {
        ID: (it) => it.id,
        CLAIM: (it) => it.claim,
        VALUE: (it) => it.value,
        ROLE: (it) => it.role,
        FITS: (it) => String(it.members),
        SOURCE: (it) => it.issuer,
      },
      more: true,
    }),
    add: derive(roleRulesApi.create, {
      summary: 'Give a role to everybody in a group, from their next sign-in on',
      description:
        'For administrators. Of several rules that fit, the highest role counts. A membership that a rule gave ends when no rule fits any more; one that was given by hand never does.',
      examples: [
        'svc sign-in map add svc-admins --role admin',
        "svc sign-in map add 'api-*' --role editor --claim realm_access.roles",
        'svc sign-in map add "API team" --role editor --scim',
      ],
      arguments: [
        { name: 'value', summary: 'the group, or another value of the claim: * is any text, ? one character' },
      ],
      options: {
        role: { placeholder: 'ROLE', summary: 'the role in the organization' },
        claim: { placeholder: 'CLAIM', summary: 'name or path of the claim' },
        scim: { ...scimOption, field: 'issuer', read: () => scimSource },
        'allow-owner': { summary: 'confirm that whoever manages the group can make Owners', field: 'allow_owner' },
      },
      text: renderRule,
    }),
    remove: derive(roleRulesApi.remove, {
      summary: 'Remove a rule, and at once the memberships that no other rule gives',
      examples: ['svc sign-in map remove 01a1fdb6-5607-74ce-8102-e0af632fd4cf'],
      arguments: [{ name: 'id', field: 'rule_id', summary: 'id of the rule' }],
      text: (_, { args }) => `Removed ${args.id}\n`,
    }),
    sources: derive(roleRulesApi.sources, {
      summary: 'Say where roles come from: the identity provider, rules of the operator, the directory',
      examples: ['svc sign-in map sources'],
      text: renderSources,
    }),
    test: command({
      isBounded: true,
      summary: 'Say which role claims would give, and why; nothing is changed',
      description:
        'CLAIMS is a file of JSON, or - for standard input: the claims of an id_token, such as {"groups": ["svc-admins"]}. It ends with 3 where no rule fits.',
      examples: ['svc sign-in map test claims.json', `echo '{"groups":["svc-admins"]}' | svc sign-in map test -`],
      arguments: [{ name: 'claims', required: true, summary: 'file with the claims as JSON, or -' }],
      options: { scim: scimOption },
      dataSchema: roleRulesApi.test.response,
      async run(invocation) {
        const { args, options, connection } = invocation
        const claims = await readValue(args.claims, invocation)
        if (!isObject(claims))
          throw new SvcError('usage', { reason: 'CLAIMS must be a JSON object, such as {"groups": ["svc-admins"]}' })
        const { call, tenant } = await connection()
        const trial = await call(roleRulesApi.test, {
          params: { tenant_slug: await tenant() },
          body: { claims, ...(options.scim ? { issuer: scimSource } : {}) },
        })
        return { data: trial, text: renderTrial(trial), exitCode: trial.role === null ? 3 : 0 }
      },
    }),
  },
})
